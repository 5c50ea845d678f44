/** What a partner writes is escaped where a terminal shows an export, and stays as it was for programs. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { hasControls } from '../../../core/traffic/escape-controls.ts'
import { keepingStream } from '../minimise/proof.ts'
import { asTerminalText } from '../../../terminal/cli/io.ts'

const attack = '\u009B31m\u202Eevil\u2066\u2028\u200F'

let cwd = ''
beforeEach(() => (cwd = emptyFolder()))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

async function printed(args: readonly string[], isTTY: boolean): Promise<string> {
  const out = keepingStream()
  const stdout = Object.assign(out.stream, { isTTY })
  const { io, written } = createTestIo({ cwd, env: { XDG_CONFIG_HOME: join(cwd, 'c') }, stdout })
  expect([await runVerbs(args, io), written().stderr]).toEqual([0, expect.any(String)])
  return out.text()
}

const importAttack = async (): Promise<string> => {
  const entry = {
    startedDateTime: '2026-11-22T00:00:00.000Z',
    time: 12,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/v2/orders/o-1/confirm',
      headers: [{ name: 'X-Note', value: attack }],
      postData: { mimeType: 'application/json', text: JSON.stringify({ hint: attack }) },
    },
    response: { status: 200, headers: [], content: { text: JSON.stringify({ id: attack }) } },
  }
  writeFileSync(join(cwd, 'x.har'), JSON.stringify({ log: { version: '1.2', entries: [entry] } }))
  return printed(['import', 'x.har', '-o', 'x.rec.ndjson'], false)
}

const isSafe = (text: string): boolean => !hasControls(text.replaceAll(/[\n\t]/g, ''))

test.each(['curl', 'har', 'k6', 'vitest'])(
  'export --format %s to a terminal has none of the characters',
  async (format) => {
    await importAttack()
    const text = await printed(['export', 'x.rec.ndjson', '--format', format], true)
    expect(text).toContain('orders')
    expect(isSafe(text)).toBe(true)
  },
)

test('curl has none in a pipe either, and makes them; an archive in a pipe has them as they were', async () => {
  await importAttack()
  const script = await printed(['export', 'x.rec.ndjson', '--format', 'curl'], false)
  expect(isSafe(script)).toBe(true)
  expect(script).toContain(String.raw`$(printf '\302\233')`)
  const archive = await printed(['export', 'x.rec.ndjson', '--format', 'har'], false)
  expect(archive).toContain(attack.slice(0, 5))
})

test('a printed line keeps its colours and nothing else that controls a terminal', () => {
  const line = '\u001B[31mred\u001B[39m\ttwo\nlines \u001B]0;title\u0007\u202E'
  expect(asTerminalText(line)).toBe(
    '\u001B[31mred\u001B[39m\ttwo\nlines ' + String.raw`\u001b]0;title\u0007\u202e`,
  )
})
