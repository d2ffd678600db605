/** No call takes more fields, objects and lists. A list of a hundred thousand ids is one. */
const MOST_OF_A_CALL = 10_000
const DEEPEST = 50
const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Whether JSON has far more fields, objects or levels than any call takes, or than `mostParts`. A megabyte of brackets keeps
 * the process for a tenth of a second and more and takes 40 MB, and its input is looked at only after it was parsed.
 */
export function isCostlyJson(json: string, mostParts = MOST_OF_A_CALL): boolean {
  let [parts, depth] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(json, at)
        break
      case 0x3a: // a colon
        parts += 1
        break
      case 0x5b: // a bracket or a brace that opens
      case 0x7b:
        parts += 1
        depth += 1
        break
      case 0x5d: // one that closes
      case 0x7d:
        depth -= 1
        break
      default:
        continue
    }
    if (parts > mostParts || depth > DEEPEST) return true
  }
  return false
}

/** Where the text ends that begins with this quotation mark. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
  return json.length
}
