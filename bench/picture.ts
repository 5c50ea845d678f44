/**
 * Draws the picture of the README: the real dashboard over a real session, as an SVG of the cells of the terminal. Run
 * `npm run picture` after a build; it presses a few keys, waits for text and writes bench/dashboard.svg.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import headless from '@xterm/headless'
import { openPty } from '../test/support/terminal.ts'

const columns = 140
const rows = 40
const cell = { width: 8.4, height: 18 }
const colours = { paper: '#1e1e1e', ink: '#d4d4d4' }
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

const root = fileURLToPath(new URL('..', import.meta.url))

/** The output of the dashboard, once it shows an order in delivery and a held item. */
async function recordDashboard(): Promise<string> {
  const pty = openPty({
    file: process.execPath,
    args: [
      `${root}bin/sparring.js`,
      'up',
      '--port',
      '0',
      '--seed',
      '42',
      '--orders-every',
      '3s',
      '--speed',
      '2',
    ],
    columns,
    rows,
  })
  await pty.until(/● READY/, 30_000)
  pty.press(' ')
  await pty.until('HOLD')
  for (const key of ['5', 'j', 'j', 'p', 'd', '3']) {
    pty.press(key)
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  await pty.until('held')
  await pty.until('copy of')
  const written = pty.written()
  pty.press('Q')
  await pty.close()
  return written
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

interface StyledRun {
  readonly start: number
  readonly ink: string
  readonly paper: string
  readonly bold: boolean
  readonly dim: boolean
  text: string
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

function styleOf(each: Cell): Omit<StyledRun, 'start' | 'text'> {
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

/** Adjacent cells of one row with the same style, joined. */
function runsOf(screen: headless.Terminal, row: number): readonly StyledRun[] {
  const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + row)
  const runs: StyledRun[] = []
  for (let column = 0; column < columns; column++) {
    const each = line?.getCell(column)
    if (!each) continue
    const style = styleOf(each)
    const last = runs.at(-1)
    const character = each.getChars() || ' '
    const isSameStyle =
      last &&
      last.ink === style.ink &&
      last.paper === style.paper &&
      last.bold === style.bold &&
      last.dim === style.dim
    if (isSameStyle) last.text += character
    else runs.push({ ...style, start: column, text: character })
  }
  return runs
}

function draw(screen: headless.Terminal): string {
  const parts: string[] = []
  for (let row = 0; row < rows; row++)
    for (const { start, ink, paper, bold, dim, text } of runsOf(screen, row)) {
      const x = (start * cell.width).toFixed(1)
      const width = (text.length * cell.width).toFixed(1)
      if (paper !== colours.paper)
        parts.push(
          `<rect x="${x}" y="${row * cell.height}" width="${width}" height="${cell.height}" fill="${paper}"/>`,
        )
      if (text.trim() === '') continue
      const weight = bold ? ' font-weight="bold"' : ''
      const opacity = dim ? ' opacity="0.6"' : ''
      parts.push(
        `<text x="${x}" y="${row * cell.height + 13.5}" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${ink}"${weight}${opacity} xml:space="preserve">${escape(text)}</text>`,
      )
    }
  const width = columns * cell.width
  const height = rows * cell.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 ${width + 24} ${height + 24}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`,
    `<rect x="-12" y="-12" width="${width + 24}" height="${height + 24}" rx="8" fill="${colours.paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true })
const bytes = await recordDashboard()
await new Promise<void>((resolve) => screen.write(bytes, resolve))
const file = `${root}bench/dashboard.svg`
writeFileSync(file, draw(screen))
process.stdout.write(`${file}\n`)
