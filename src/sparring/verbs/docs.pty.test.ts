/** `sparring docs` on a real terminal: the pager has the keys, and Ctrl-C. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { openPty } from '../../../test/support/terminal.ts'

const hasLess = spawnSync('less', ['--version']).status === 0

test.runIf(hasLess)('less shows a page, and Ctrl-C is its own; q ends both', async () => {
  const { file, args, env } = commandLine('docs', 'webhook')
  const cwd = emptyFolder()
  const size = { columns: 80, rows: 24 }
  const pty = openPty({ file, args, ...size, cwd, env: { ...env, HOME: cwd, LESSHISTFILE: '-' } })
  await pty.until(/^Webhook$/m)
  expect(pty.rows()).toContain('header              value')
  pty.press('\u0003')
  // The terminal drops what was typed before the signal, and may drop a key after it.
  for (let tries = 0; !pty.text().includes('(END)') && tries < 20; tries++) {
    pty.press('G')
    await pty.until('(END)', 1000).catch(() => undefined)
  }
  await pty.until('Which form a partner has')
  pty.press('q')
  expect(await pty.exited).toMatchObject({ code: 0, signal: 0 })
})
