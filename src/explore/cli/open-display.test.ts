/** Where `sparring explore` shows a screen, and where lines. */
import { expect, test } from 'vitest'
import { createTestIo } from '../../../test/support/test-io.ts'
import { isOnScreen } from './open-display.ts'

const terminal = createTestIo({ isTTY: true, env: { TERM: 'xterm-256color' } }).io

test('a person at a terminal has a screen, also with reports to files', () => {
  expect(isOnScreen({}, terminal)).toBe(true)
  expect(isOnScreen({ reporter: ['junit=report.xml', 'sarif=a=b.sarif'] }, terminal)).toBe(true)
  expect(isOnScreen({}, { ...terminal, env: { ...terminal.env, CI: 'false' } })).toBe(true)
})

test('there are lines where stdout is asked for, nothing is, there is no terminal, or no screen can be drawn', () => {
  expect(isOnScreen({ json: true }, terminal)).toBe(false)
  expect(isOnScreen({ quiet: true }, terminal)).toBe(false)
  expect(isOnScreen({ plain: true }, terminal)).toBe(false)
  for (const reporter of ['pretty', 'json=-', 'junit=/dev/stdout'])
    expect(isOnScreen({ reporter: ['sarif=a.sarif', reporter] }, terminal)).toBe(false)
  expect(isOnScreen({}, { ...terminal, isTTY: false })).toBe(false)
  for (const env of [{ CI: 'true' }, { TERM: 'dumb' }, { INK_SCREEN_READER: 'true' }])
    expect(isOnScreen({}, { ...terminal, env: { ...terminal.env, ...env } })).toBe(false)
})
