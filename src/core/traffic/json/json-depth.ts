/** How deep a JSON text is nested, read without parsing it. */

/** Whether brackets outside strings nest deeper than this many levels. */
export function isDeeperThan(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > levels) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

/** Levels of a document from outside that functions which call themselves go down: a deeper one is read as a text. */
export const maxReadLevels = 1000
