import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { animatedSvg } from './animated-svg.ts'

const size = { columns: 20, rows: 3 }
const frames = [
  { rows: ['always', 'one'], caption: 'first', ms: 1000 },
  { rows: ['always', '\u001b[1;31mtwo\u001b[m <&>'], caption: '', ms: 1000 },
  { rows: ['always', 'one', '\u001b[7m x \u001b[m'], caption: '', ms: 2000 },
]

test('a row is drawn once, and is visible in its frames', async () => {
  const svg = await animatedSvg(frames, size, 1)
  expect(svg.match(/>always</g)).toHaveLength(1)
  expect(svg.match(/>one</g)).toHaveLength(1)
  expect(svg).toContain('<g transform="translate(0 0)"><text y="13.5"'.replace('y=', 'x="0" y='))
  const [, motion = ''] =
    /<g class="(m\d)" transform="translate\(0 18\)"><text [^>]*>one</.exec(svg) ?? []
  expect(svg).toContain(
    `@keyframes ${motion}{0%{visibility:visible}25%{visibility:hidden}50%{visibility:visible}}`,
  )
  expect(svg).toContain(`.${motion}{visibility:hidden;animation:${motion} 4s step-end infinite}`)
})

test('text is escaped, and keeps its colours, weight and background', async () => {
  const svg = await animatedSvg(frames, size, 0)
  expect(svg).toContain('>two</text>')
  expect(svg).toContain('>&lt;&amp;&gt;</text>')
  expect(svg).toMatch(/\.s\d\{fill:#d16969;font-weight:bold\}/)
  expect(svg).toMatch(/<rect x="0" width="25.2" height="18" class="s\d"\/>/)
})

test('where nothing may move, one frame stands still', async () => {
  const svg = await animatedSvg(frames, size, 1)
  expect(svg).toContain('@media (prefers-reduced-motion:reduce){g{animation:none!important}}')
  const [, hidden = ''] = /<g class="(m\d)"[^>]*><text [^>]*>two</.exec(svg) ?? []
  expect(svg).toContain(`.${hidden}{animation:`)
  const [, caption = ''] = /<g class="(m\d)"[^>]*><text [^>]*>first</.exec(svg) ?? []
  expect(svg).toContain(`.${caption}{visibility:hidden;`)
})

test('lines beyond the screen scroll, and long ones are wrapped', async () => {
  const rows = ['gone', 'x'.repeat(25), 'last']
  const svg = await animatedSvg([{ rows, caption: '', ms: 1 }], size, 0)
  expect(svg).not.toContain('gone')
  expect(svg).toContain(`>${'x'.repeat(20)}</text>`)
  expect(svg).toMatch(/translate\(0 36\)"><text [^>]*>last</)
})

test.each(['dashboard', 'hold', 'replay'])('bench/%s.svg is small, and no program', (name) => {
  const svg = readFileSync(new URL(`${name}.svg`, import.meta.url), 'utf8')
  expect(Buffer.byteLength(svg)).toBeLessThan(400_000)
  expect(svg).not.toMatch(/<script|\son\w+=|href=|url\(/)
})
