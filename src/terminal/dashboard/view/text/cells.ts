/**
 * Width of text in terminal cells: measuring, cutting, padding, wrapping. Every row is cut here, so that none is wider
 * than its pane; text from outside is sanitised here, so that no body can control the terminal.
 */
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { escapeControls } from '../../../../core/traffic/escape-controls.ts'

const ascii = /^[ -~]*$/
/**
 * One cell for each character: ASCII, Latin letters, lines and bars. Measuring others takes a hundred times as long.
 */
const narrow = /^[ -~¡-¬®-ʯ─-▟]*$/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Width of a text in cells. */
export const cellWidth = (text: string): number =>
  narrow.test(text) ? text.length : stringWidth(sanitise(text))

/** Longest prefix that fits. */
export function cutToCells(unsafe: string, width: number): string {
  if (width <= 0) return ''
  if (narrow.test(unsafe)) return unsafe.slice(0, width)
  const text = sanitise(unsafe)
  let used = 0
  let end = 0
  for (const { segment, index } of graphemes.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** Cuts a text to at most `width` cells; a mark shows the cut. */
export function fitToCells(text: string, width: number, mark = '~'): string {
  if (cellWidth(text) <= width) return text
  return width <= 1 ? cutToCells(text, width) : cutToCells(text, width - 1) + mark
}

/** Cuts or pads a text to exactly `width` cells. */
export function padToCells(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fitted = fitToCells(text, width)
  const gap = ' '.repeat(Math.max(0, width - cellWidth(fitted)))
  return align === 'left' ? fitted + gap : gap + fitted
}

/**
 * An emoji that is joined of several, has a tone or the tags of a region, or a digit on a key: terminals draw it in two cells, or
 * each of its signs in one or two, and none says which.
 */
const joinedEmoji =
  /(\p{Extended_Pictographic}\uFE0F?)(?:\p{Emoji_Modifier}\uFE0F?|\u200D\p{Extended_Pictographic}\uFE0F?|[\u{E0020}-\u{E007F}])+|([\d#*])\uFE0F?\u20E3/gu

/**
 * Text of outside origin as it is shown: control characters are escaped, and measured so; of joined emoji the first sign is
 * shown, which has one width everywhere.
 */
export const sanitise = (text: string): string =>
  narrow.test(text)
    ? text
    : escapeControls(text.replaceAll(/\r\n|\t/g, ' ')).replaceAll(joinedEmoji, '$1$2')

/** Replaces characters outside ASCII, for terminals that draw nothing else; the width stays the same. */
export const toAscii = (text: string): string =>
  ascii.test(text)
    ? text
    : Array.from(graphemes.segment(text), ({ segment }) =>
        ascii.test(segment) ? segment : '?'.repeat(stringWidth(segment)),
      ).join('')

/** Wraps text anywhere into lines of at most `width` cells; for bodies, where nothing may be lost. */
export function wrapToCells(unsafe: string, width: number): readonly string[] {
  const text = sanitise(unsafe)
  if (width <= 0 || cellWidth(text) <= width) return [text]
  const lines: string[] = []
  let rest = text
  while (rest !== '') {
    const line = cutToCells(rest, width)
    // A grapheme wider than the pane: stop, to avoid an endless loop.
    if (line === '') break
    lines.push(line)
    rest = rest.slice(line.length)
  }
  return lines
}

/** Wraps text between words into lines of at most `width` cells; a longer word has a line of its own. */
export const wordWrap = (text: string, width: number): readonly string[] =>
  wrapAnsi(sanitise(text), width).split('\n')
