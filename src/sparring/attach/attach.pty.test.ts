// @module-tag slow
/** `sparring attach` on a terminal: the real command on a pseudo-terminal, a session behind real sockets. */
import { expect, test, onTestFinished } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { startTcpRelay, type TcpRelay } from '../../../test/support/tcp-relay.ts'
import { openPty, type Pty, untouchedModes } from '../../../test/support/terminal.ts'
import { type ControlServer, startControl } from '../../core/runtime/control/control.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { Session } from '../../core/session-api/session.ts'

interface Started {
  readonly session: Session
  readonly control: ControlServer
  readonly relay: TcpRelay
}

async function started(more: Partial<Parameters<typeof startControl>[0]> = {}): Promise<Started> {
  const session = await openSession({
    clock: 'stepped',
    listen: false,
    seed: 7,
    capabilities: ordersOnly,
  })
  onTestFinished(session.close)
  const control = await startControl({ session, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(control.close)
  const relay = await startTcpRelay(control.url)
  onTestFinished(relay.close)
  return { session, control, relay }
}

function attach(argv: readonly string[], more: Readonly<Record<string, string>> = {}): Pty {
  const cwd = emptyFolder()
  const { file, args, env } = commandLine('attach', ...argv)
  const pty = openPty({
    file,
    args,
    columns: 120,
    rows: 40,
    cwd,
    env: { ...env, HOME: cwd, XDG_STATE_HOME: cwd, NODE_ENV: 'production', ...more },
  })
  onTestFinished(pty.close)
  return pty
}

test('the dashboard of a session elsewhere opens, changes it, and q leaves it as it is', async () => {
  const { session, control, relay } = await started()
  await session.createOrder({ type: 'TAKEOUT' })
  const pty = attach([relay.url])
  await pty.until(/HOLD.*attached to 127\.0\.0\.1:\d+/)
  await pty.until(/TAKEOUT/)
  expect(pty.text()).not.toContain('read-only')
  await pty.pressUntil('N', 'A new order for')
  pty.press('d')
  await expect.poll(async () => (await session.look({})).info.counts.orders).toBe(2)
  pty.press('q')
  expect(await pty.exited).toEqual({ code: 0, signal: 0 })
  expect(pty.text()).toContain(`detached from ${relay.url}; the session goes on`)
  expect(pty.modes()).toEqual(untouchedModes)
  expect((await fetch(`${control.url}/session`)).status).toBe(200)
})

test('of two dashboards, each shows what the other one does', async () => {
  const { session, relay, control } = await started()
  const [one, other] = [attach([relay.url]), attach([control.url])]
  await Promise.all([one.until('HOLD'), other.until('HOLD')])
  one.press('Nt')
  await other.until(/TAKEOUT/)
  other.press(' ')
  await one.until('● LIVE')
  expect((await session.look({})).info).toMatchObject({
    clock: { mode: 'real' },
    counts: { orders: 1 },
  })
})

test('in a dashboard that only looks, a key that changes something says so and does nothing', async () => {
  const { session, relay } = await started()
  await session.createOrder({ type: 'TAKEOUT' })
  const pty = attach([relay.url, '--read-only'])
  await pty.until(/HOLD.*read-only/)
  await pty.until(/TAKEOUT/)
  const facts = session.facts().length
  for (const key of ['n', 'N', ' ']) {
    await pty.pressUntil(key, 'read-only: this would change the session')
    await pty.pressUntilGone('\u001b', 'read-only: this would change the session')
  }
  // Looking is not refused.
  await pty.pressUntil('1', /━ PAST 1 Journal/)
  expect([session.facts().length, (await session.look({})).info.clock.mode]).toEqual([
    facts,
    'stepped',
  ])
})

test('a lost connection is shown, and after it what came meanwhile, which W opens', async () => {
  const { session, relay } = await started()
  const pty = attach([relay.url])
  await pty.until('HOLD')
  relay.cut()
  await pty.until(/LOST since \d\d:\d\d:\d\d, for \d+ s: .*trying again/)
  await session.createOrder({ type: 'TAKEOUT' })
  relay.mend()
  await pty.until(/connected again after \d+ s: \d+ journal entries and 0 exchanges came meanwhile/)
  await pty.until(/HOLD/)
  expect(pty.text()).not.toContain('LOST')
  await pty.pressUntil('W', /━ While disconnected [^]*order\.created/)
})

test('the token is asked for and not shown; a wrong one is asked for again', async () => {
  const { session, relay, control } = await started({ token: 'mine', viewToken: 'looks' })
  await session.createOrder({ type: 'TAKEOUT' })
  const pty = attach([relay.url])
  await pty.until(`Token of the session at ${relay.url}:`)
  await pty.pressUntil('wrong\r', `That token is wrong. Token of the session at ${relay.url}:`)
  await pty.pressUntil('xx\u0015lookz\u007fs\r', /HOLD.*read-only/)
  expect(pty.written()).not.toMatch(/wrong\b(?!\.)|looks?z?\b(?! at)/)
  // Keys arrive after the prompt as before.
  await pty.pressUntil('?', '━ Keys')
  await pty.pressUntilGone('\u001b', '━ Keys')
  pty.press('q')
  expect((await pty.exited).code).toBe(0)
  expect((await fetch(`${control.url}/health`)).status).toBe(200)
})

test('after three wrong tokens it gives up, and Ctrl-C gives up at once', async () => {
  const { relay } = await started({ token: 'mine' })
  const question = `Token of the session at ${relay.url}:`
  const pty = attach([relay.url])
  for (let asked = 1; asked <= 3; asked++) {
    await expect.poll(() => pty.written().split(question)).toHaveLength(asked + 1)
    pty.press('no\r')
  }
  expect((await pty.exited).code).toBe(3)
  expect(pty.written().split(question)).toHaveLength(4)
  expect(pty.text()).toContain('it does not take this token')

  const left = attach([relay.url])
  await left.until(question)
  left.press('mi\u0003')
  expect((await left.exited).code).toBe(130)
  expect(left.modes()).toEqual(untouchedModes)
})

test('by lines, a change is refused where it only looks, and the connection is reported', async () => {
  const { session, relay } = await started()
  const pty = attach([relay.url, '--plain', '--read-only'])
  await pty.until('Type a command and enter')
  await pty.pressUntil('new order takeout\r', 'read-only: this would change the session')
  relay.cut()
  await pty.until(`the connection to ${relay.url} is lost`)
  await session.createOrder({ type: 'DELIVERY' })
  relay.mend()
  await pty.until(/connected again after \d+ s: \d+ journal entries/)
  await pty.until(/order\.created/)
  pty.press('quit\r')
  expect((await pty.exited).code).toBe(0)
  expect((await session.look({})).info.counts.orders).toBe(1)
})
