/** Shown in the browser, and saved under this name; old programs get the nearest that ASCII can say. */
export function inlineAs(fileName: string): string {
  return `inline; filename="${inAscii(fileName)}"; filename*=UTF-8''${encoded(fileName)}`
}

function inAscii(text: string): string {
  const withoutMarks = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  return withoutMarks.replaceAll(/[^\x20-\x7E]+/gu, '_').replaceAll(/["%\\]/g, '_')
}

// RFC 5987 leaves these three out of what may stand as it is.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}
