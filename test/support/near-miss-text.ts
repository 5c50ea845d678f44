/** Small pieces of the text of near misses: parts between separators, and lists of times. */

/** The parts between separators, except within quotes and brackets: `a; b [c; d]` has two. */
export function splitText(text: string, separator: string): readonly string[] {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && '[({'.includes(char)) depth += 1
    else if (!isQuoted && '])}'.includes(char)) depth -= 1
    if (char === separator && depth === 0 && !isQuoted) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The times of `0,1000,+500x3`: 0, 1000, 1500, 2000, 2500. */
export function timesOf(text: string): readonly number[] {
  const times: number[] = []
  for (const part of text.split(',')) {
    const [, plus, ms, count = '1'] = /^(\+)?(\d+)(?:x(\d+))?$/.exec(part) ?? []
    if (ms === undefined) throw new Error(`no time: ${part} of ${text}`)
    if (plus === undefined) times.push(Number(ms))
    else
      for (let index = 0; index < Number(count); index += 1)
        times.push((times.at(-1) ?? 0) + Number(ms))
  }
  return times
}
