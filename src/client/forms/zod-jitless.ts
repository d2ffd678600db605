import { config } from 'zod'

// The content security policy forbids the code that zod would compile, and reports even its attempt to.
config({ jitless: true })
