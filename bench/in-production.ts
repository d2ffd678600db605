// To be imported before React, which is several times slower where it looks for mistakes.
process.env['NODE_ENV'] = 'production'
