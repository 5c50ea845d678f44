/**
 * Renders a row for the terminal: at most `width` cells, with the escape sequences of a palette. All text is sanitised
 * here: nothing from the wire can control the terminal.
 */
import type { Appearance } from '../appearance.ts'
import { toAscii, sanitise } from './cells.ts'
import { cutSpans, plainText, type Row, widthOf } from './row.ts'

const csi = '\u{1b}['

const sgr = (codes: string, text: string): string =>
  codes === '' || text === '' ? text : `${csi}${codes}m${text}${csi}0m`

export function paintRow(row: Row, width: number, { palette, glyphs }: Appearance): string {
  const sanitised = (text: string): string =>
    glyphs.asciiOnly ? toAscii(sanitise(text)) : sanitise(text)
  const spans = cutSpans(
    row.spans.map((each) => ({ ...each, text: sanitised(each.text) })),
    width,
  )
  if (row.chosen === 'here' && palette.inverse) {
    // Colours on an inverse row are hard to read in many themes, so they are left out.
    const gap = ' '.repeat(Math.max(0, width - widthOf(spans)))
    return sgr('7', plainText({ spans }) + gap)
  }
  const text = spans.map((each) => sgr(palette[each.tone ?? 'plain'], each.text)).join('')
  // An empty row would take no line at all.
  return text === '' ? ' ' : text
}
