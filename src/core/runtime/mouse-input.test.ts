import { expect, test } from 'vitest'
import { createMouseFilter, type MouseReport } from './mouse-input.ts'

const esc = '\u{1b}'
const click = `${esc}[<0;12;3M`

function filter() {
  const reports: MouseReport[] = []
  return { reports, ...createMouseFilter((report) => reports.push(report)) }
}

test('reports are taken out between keys: presses and the wheel, not releases or other buttons', () => {
  const { push, reports } = filter()
  const wheel = `${esc}[<64;1;1M${esc}[<65;1;1M`
  expect(push(`j${click}${esc}[<0;12;3m${esc}[<2;1;1Mk${wheel}${esc}[A`)).toBe(`jk${esc}[A`)
  expect(reports).toEqual([
    { kind: 'press', column: 11, row: 2 },
    { kind: 'wheel-up', column: 0, row: 0 },
    { kind: 'wheel-down', column: 0, row: 0 },
  ])
})

test('a report may be cut at any byte, once or everywhere, with keys on both sides', () => {
  const whole = `a${click}b`
  for (let cut = 1; cut < whole.length; cut++) {
    const { push, reports } = filter()
    expect(push(whole.slice(0, cut)) + push(whole.slice(cut))).toBe('ab')
    expect(reports).toHaveLength(1)
  }
  const { push, reports } = filter()
  expect(Array.from(whole, push).join('')).toBe('ab')
  expect(reports).toHaveLength(1)
})

test('escape and alt with a bracket are keys when nothing follows; the rest of a report never becomes text', () => {
  const { push, mayBeKeys, release, forget, reports } = filter()
  expect([push(esc), mayBeKeys(), release(), mayBeKeys()]).toEqual(['', true, esc, false])
  expect(push('j')).toBe('j')
  // Twice in a row.
  expect([push(esc), release(), push(esc), release()]).toEqual(['', esc, '', esc])
  // A slow line: escape was taken for the key, and then the rest comes, in pieces again.
  expect([push('['), push('<0;12'), push(';3M'), push('x')]).toEqual(['', '', '', 'x'])
  expect(reports).toHaveLength(1)
  // Escape, and much later a bracket and more as text.
  push(esc)
  release()
  expect([forget(), push('[<1')]).toEqual(['', '[<1'])
  push(esc)
  release()
  expect([push('[<1'), mayBeKeys(), forget(), push('x')]).toEqual(['', false, '[<1', 'x'])
})
