/** Checks XML of reports for well-formedness. */
import { expect } from 'vitest'

/**
 * Checks that tags are balanced, attributes quoted and no forbidden character is there; returns the names of all tags.
 */
export function wellFormedElements(xml: string): readonly string[] {
  const open: string[] = []
  const seen: string[] = []
  const rest = xml.replace(/^<\?xml [^?]*\?>\n/, '')
  const tag = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g
  let last = 0
  for (const match of rest.matchAll(tag)) {
    const text = rest.slice(last, match.index)
    expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|apos);)/)
    last = match.index + match[0].length
    const [, closes, name = '', , alone] = match
    seen.push(name)
    if (closes) expect(open.pop()).toBe(name)
    else if (!alone) open.push(name)
  }
  expect({ open, rest: rest.slice(last).trim() }).toEqual({ open: [], rest: '' })
  // eslint-disable-next-line no-control-regex
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  return seen
}
