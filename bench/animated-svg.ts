/**
 * Frames of a terminal as one SVG that moves: each row that is ever shown is drawn once, and CSS says when it is visible.
 * Where nothing may move, one frame stands still.
 */
import headless from '@xterm/headless'

/** What the terminal shows for a time, and what a person did to get there. */
export interface Frame {
  /** Lines with escape sequences; a terminal of the size of the picture wraps and scrolls them. */
  readonly rows: readonly string[]
  readonly caption: string
  readonly ms: number
}

interface PictureSize {
  readonly columns: number
  readonly rows: number
}

const cell = { width: 8.4, height: 18 }
const baseline = 13.5
const margin = 12
const colours = { paper: '#1e1e1e', ink: '#d4d4d4', caption: '#e2c08d' }
/** The sixteen ANSI colours, in a muted dark theme. */
const palette = [
  '#1e1e1e',
  '#d16969',
  '#6a9955',
  '#d7ba7d',
  '#569cd6',
  '#c586c0',
  '#4ec9b0',
  '#d4d4d4',
  '#808080',
  '#f44747',
  '#b5cea8',
  '#e2c08d',
  '#9cdcfe',
  '#d8a0df',
  '#87d7c7',
  '#ffffff',
] as const

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

interface StyledRun {
  readonly start: number
  readonly ink: string
  readonly paper: string
  readonly bold: boolean
  readonly dim: boolean
  text: string
  width: number
}

type Cell = NonNullable<
  ReturnType<NonNullable<ReturnType<headless.Terminal['buffer']['active']['getLine']>>['getCell']>
>

function colourOf(
  mode: 'palette' | 'rgb' | 'default',
  value: number,
  defaultColour: string,
): string {
  if (mode === 'rgb') return `#${value.toString(16).padStart(6, '0')}`
  return mode === 'palette' ? (palette[value] ?? defaultColour) : defaultColour
}

function styleOf(each: Cell): Pick<StyledRun, 'ink' | 'paper' | 'bold' | 'dim'> {
  const ink = colourOf(
    each.isFgRGB() ? 'rgb' : each.isFgPalette() ? 'palette' : 'default',
    each.getFgColor(),
    colours.ink,
  )
  const paper = colourOf(
    each.isBgRGB() ? 'rgb' : each.isBgPalette() ? 'palette' : 'default',
    each.getBgColor(),
    colours.paper,
  )
  const inverse = each.isInverse() !== 0
  return {
    ink: inverse ? paper : ink,
    paper: inverse ? ink : paper,
    bold: each.isBold() !== 0,
    dim: each.isDim() !== 0,
  }
}

/** Adjacent cells of one row with the same style, joined; blanks take the style of what is beside them. */
function runsOf(screen: headless.Terminal, row: number): readonly StyledRun[] {
  const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + row)
  const runs: StyledRun[] = []
  for (let column = 0; column < screen.cols; column++) {
    const each = line?.getCell(column)
    // The second cell of a wide character has no width.
    if (!each || each.getWidth() === 0) continue
    const style = styleOf(each)
    const last = runs.at(-1)
    const character = each.getChars() || ' '
    const isSameStyle =
      last &&
      last.paper === style.paper &&
      (character === ' ' ||
        (last.ink === style.ink && last.bold === style.bold && last.dim === style.dim))
    if (isSameStyle) {
      last.text += character
      last.width += each.getWidth()
    } else runs.push({ ...style, start: column, text: character, width: each.getWidth() })
  }
  return runs
}

/** Each style has a class, in the order in which the frames need them. */
function createStyles() {
  const classes = new Map<string, string>()
  const rules: string[] = []
  return {
    rules,
    classOf(rule: string): string {
      const found = classes.get(rule)
      if (found !== undefined) return found
      const name = `s${classes.size}`
      classes.set(rule, name)
      rules.push(`.${name}{${rule}}`)
      return name
    },
  }
}

type Styles = ReturnType<typeof createStyles>

const px = (cells: number): string => String(Math.round(cells * cell.width * 10) / 10)

/** A row at the left edge of the line above its baseline; empty where nothing is in it. */
function rowMarkup(runs: readonly StyledRun[], styles: Styles): string {
  const boxes: string[] = []
  const texts: string[] = []
  for (const { start, ink, paper, bold, dim, text, width } of runs) {
    if (paper !== colours.paper)
      boxes.push(
        `<rect x="${px(start)}" width="${px(width)}" height="${cell.height}" class="${styles.classOf(`fill:${paper}`)}"/>`,
      )
    const shown = text.trimEnd()
    const blanks = shown.length - shown.trimStart().length
    if (shown === '' || blanks === shown.length) continue
    const rule = `fill:${ink}${bold ? ';font-weight:bold' : ''}${dim ? ';opacity:.6' : ''}`
    const cells = width - (text.length - shown.length) - blanks
    texts.push(
      `<text x="${px(start + blanks)}" y="${baseline}" textLength="${px(cells)}" class="${styles.classOf(rule)}">${escape(shown.slice(blanks))}</text>`,
    )
  }
  return [...boxes, ...texts].join('')
}

/** One screen of a terminal, row by row. */
async function markupOf(
  { rows: lines, caption }: Frame,
  { columns, rows }: PictureSize,
  styles: Styles,
): Promise<readonly string[]> {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true })
  await new Promise<void>((resolve) => screen.write(lines.join('\r\n'), resolve))
  const drawn = Array.from({ length: rows }, (_, row) => rowMarkup(runsOf(screen, row), styles))
  screen.dispose()
  const rule = `fill:${colours.caption};font-weight:bold`
  const text = `<text y="${baseline}" class="${styles.classOf(rule)}">${escape(caption)}</text>`
  return [...drawn, '', caption === '' ? '' : text]
}

/** Percent of the whole, as short as it can be and still exact to a frame. */
const percent = (ms: number, totalMs: number): string =>
  `${String(Math.round((ms / totalMs) * 100_000) / 1000)}%`

export async function animatedSvg(
  frames: readonly Frame[],
  size: PictureSize,
  stillFrame: number,
): Promise<string> {
  const styles = createStyles()
  const screens: (readonly string[])[] = []
  for (const frame of frames) screens.push(await markupOf(frame, size, styles))
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0)
  const starts = frames.map((_, index) =>
    frames.slice(0, index).reduce((sum, { ms }) => sum + ms, 0),
  )
  /** The frames in which each row of text is shown at its place. */
  const shownIn = new Map<string, number[]>()
  for (const [index, screen] of screens.entries())
    for (const [row, markup] of screen.entries())
      if (markup !== '') {
        const key = `${row}:${markup}`
        shownIn.set(key, [...(shownIn.get(key) ?? []), index])
      }
  const times = new Map<string, string>()
  const motions: string[] = []
  /** The class of rows that are visible in the same frames; none for what always is. */
  function motionOf(shown: readonly number[]): string {
    if (shown.length === frames.length) return ''
    const key = shown.join()
    const found = times.get(key)
    if (found !== undefined) return found
    const name = `m${times.size}`
    times.set(key, name)
    const steps = frames.flatMap((_, index) => {
      const isShown = shown.includes(index)
      return index > 0 && isShown === shown.includes(index - 1)
        ? []
        : [`${percent(starts[index] ?? 0, totalMs)}{visibility:${isShown ? 'visible' : 'hidden'}}`]
    })
    const still = shown.includes(stillFrame) ? '' : 'visibility:hidden;'
    motions.push(
      `.${name}{${still}animation:${name} ${totalMs / 1000}s step-end infinite}`,
      `@keyframes ${name}{${steps.join('')}}`,
    )
    return name
  }
  const parts = [...shownIn].map(([key, shown]) => {
    const [row = ''] = key.split(':', 1)
    const motion = motionOf(shown)
    const moved = ` transform="translate(0 ${Number(row) * cell.height})"`
    return `<g${motion === '' ? '' : ` class="${motion}"`}${moved}>${key.slice(row.length + 1)}</g>`
  })
  const width = size.columns * cell.width + 2 * margin
  const height = (size.rows + 2) * cell.height + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
    '<style>',
    'text{white-space:pre}',
    ...styles.rules,
    ...motions,
    '@media (prefers-reduced-motion:reduce){g{animation:none!important}}',
    '</style>',
    `<rect x="${-margin}" y="${-margin}" width="${width}" height="${height}" rx="8" fill="${colours.paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}
