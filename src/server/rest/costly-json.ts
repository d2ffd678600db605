/** No call takes more fields, objects and lists. A list of a hundred thousand ids is one. */
const MOST_PARTS = 10_000
const DEEPEST = 50
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/**
 * Whether JSON has far more fields, objects or levels than any call takes. A megabyte of brackets keeps the process for a
 * tenth of a second, and its input is looked at only after it was parsed; counting takes a hundredth.
 */
export function isCostlyJson(json: string): boolean {
  let [parts, depth, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === COLON) parts += 1
    else if (OPENING.includes(code)) {
      parts += 1
      depth += 1
    } else if (CLOSING.includes(code)) depth -= 1
    if (parts > MOST_PARTS || depth > DEEPEST) return true
  }
  return false
}
