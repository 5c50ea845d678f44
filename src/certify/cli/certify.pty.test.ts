// @module-tag slow
/** `sparring certify` on a pseudo-terminal: its screen, what a person is asked for, its keys, and the report below. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, onTestFinished } from 'vitest'
import { commandLine } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty, untouchedModes } from '../../../test/support/terminal.ts'
import type { OrderType } from '../../core/protocol/orders/order.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { Session } from '../../core/session-api/session.ts'

let service: Session
const folder = mkdtempSync(join(tmpdir(), 'sparring-certify-pty-'))

beforeAll(async () => {
  service = await openSession({
    only: ['ordering-application'],
    as: 'software-service',
    port: 0,
    subject: {
      credentials: {
        clientId: 'sparring-software-service',
        clientSecret: 'secret-of-software-service',
      },
    },
  })
  writeFileSync(
    join(folder, 'sparring.config.yaml'),
    'subject: { role: ordering-application, credentials: { clientId: sparring-ordering-application, clientSecret: secret-of-ordering-application } }\n',
  )
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

function start(...flags: readonly string[]): Pty {
  const url = service.urls.get('ordering-application') ?? ''
  const { file, args, env } = commandLine('certify', url, '--port', '0', ...flags)
  const size = { columns: 100, rows: 30 }
  const ownEnv = { ...env, NODE_ENV: 'production' }
  const pty = openPty({ file, args, ...size, cwd: folder, env: ownEnv })
  onTestFinished(() => pty.close())
  return pty
}

const requested = /create a (DELIVERY|TAKEOUT|INDOOR) order at the service/

/** Does what the screen asks for; returns the type of the order. */
async function createRequested(pty: Pty): Promise<string> {
  await pty.until(requested)
  const type = requested.exec(pty.text())?.[1] ?? ''
  const created = await service.createOrder({ type: type as OrderType })
  if (!created.ok) throw new Error(created.error.message)
  return type
}

/** Skips every request, each as it is shown, until something else is shown. */
async function skipUntil(pty: Pty, keys: string, end: RegExp, done: string): Promise<void> {
  const asked = new Set([done])
  const next = (): string | undefined =>
    Array.from(pty.text().matchAll(new RegExp(requested, 'g')), ([, type = '']) => type).at(-1)
  while (!end.test(pty.text())) {
    const type = next()
    if (type !== undefined && !asked.has(type)) {
      asked.add(type)
      pty.press(keys)
    }
    const others = ['DELIVERY', 'TAKEOUT', 'INDOOR'].filter((each) => !asked.has(each))
    const more = others.length > 0 ? `|create a (?:${others.join('|')}) order` : ''
    await pty.until(new RegExp(`${end.source}${more}`))
  }
}

test('a request is done with Enter, the next one skipped with s; the result is read, and the report is below', async () => {
  const pty = start('--only', 'ORD-OPS-05', '--bundle', 'certified.tar')
  const type = await createRequested(pty)
  expect(pty.modes()).toMatchObject({ alternateScreen: true, cursorVisible: false })
  expect(pty.text()).toMatch(/DO THIS NOW ━+ 1(?:20|1\d) seconds left/)
  await pty.until(/1(?:0\d|1[0-8]) seconds left/)
  await pty.pressUntilGone('\r', `create a ${type} order`)
  await pty.until(requested)
  // What is skipped ends what needs it; each further request is shown and skipped as well.
  await skipUntil(pty, 's', /━ Results 1/, type)
  expect(pty.text()).toMatch(/ ✓ DONE {2}ordering-application at http/)
  expect(pty.text()).toMatch(/pass +fail +warn +skip +ask\n ORD +1 +· +· +· +·/)
  await pty.pressUntil('\r', 'ORD-OPS-05  passed  MUST')
  await pty.pressUntil('\u{1b}', '━ Results 1')
  pty.press('q')
  expect((await pty.exited).code).toBe(0)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/ORD {2}1 passed\nordering-application at http.*: 1 passed in /)
  expect(pty.text()).toContain('bundle in certified.tar')
}, 60_000)

test('q tells how to stop; ctrl-c ends it after the procedure under way, and the report follows', async () => {
  const pty = start('--only', 'ORD-OPS-05')
  await pty.until(requested)
  await pty.pressUntil('q', 'ctrl-c stops it after this procedure')
  pty.press('\u{3}')
  expect((await pty.exited).code).toBe(130)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/ended before its time: it was interrupted/)
}, 60_000)

test('--plain asks by lines', async () => {
  const pty = start('--only', 'ORD-OPS-05', '--plain')
  const type = await createRequested(pty)
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toMatch(/120\s+s/)
  await pty.pressUntil('\r', new RegExp(`create a (?!${type})[A-Z]+ order`))
  await skipUntil(pty, 's\r', /: 1 passed in /, type)
  expect((await pty.exited).code).toBe(0)
  expect(pty.text()).toMatch(/: 1 passed in /)
}, 60_000)
