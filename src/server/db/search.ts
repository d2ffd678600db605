/** A LIKE pattern for "contains this text", in which the text's own % and _ mean themselves. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
