// @module-tag slow
/** `sparring up` with its dashboard: the real command line on a pseudo-terminal, roles on real sockets. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type LoadProcess, startLoad } from '../../../test/support/load.ts'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty, untouchedModes } from '../../../test/support/terminal.ts'
import { words } from '../../../test/support/shell-words.ts'

const ptys: Pty[] = []
const loads: LoadProcess[] = []
afterEach(async () => {
  for (const load of loads.splice(0)) load.kill()
  for (const pty of ptys.splice(0)) await pty.close()
})

/** Loading everything from the sources is slow on a busy machine. */
const startMs = 30_000

interface Ready {
  readonly counterparts: Readonly<Record<string, string>>
  readonly control: string
}

async function up(
  columns: number,
  rows: number,
  more: readonly string[] = [],
): Promise<{ pty: Pty; ready: Ready; cwd: string }> {
  const cwd = emptyFolder()
  // Orders only: steps of deliveries and customers would interleave.
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'capabilities: { indoor: false, logistics: false, customer: false }\n',
  )
  const { file, args, env } = commandLine(...words`up --port 0 --seed 42 --orders-every 0`)
  const pty = openPty({
    file,
    args: [...args, '--ready-file', 'ready.json', ...more],
    columns,
    rows,
    cwd,
    env: { ...env, HOME: cwd, NODE_ENV: 'production' },
  })
  ptys.push(pty)
  await pty.until('● LIVE', startMs)
  const ready = JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8')) as Ready
  return { pty, ready, cwd }
}

/** A fact in the facts pane, preceded by its time, unlike in the footer. */
const fact = (text: string): RegExp => new RegExp(String.raw`\d\d:\d\d:\d\d(\.\d+)? ${text}`)

/** The current status of the order, in the format of the status strip or of the list. */
const now = (status: string): RegExp => new RegExp(`● ?${status}`)

const took = (pty: Pty): readonly [string, string] => {
  const [, id = 'none', text = ''] = /took #(\d+) (.*)/.exec(pty.text()) ?? []
  return [id, text]
}

/** Takes one step and waits until the screen shows it; returns the item. */
async function step(pty: Pty): Promise<string> {
  const [before] = took(pty)
  await pty.pressUntil('n', new RegExp(`took #(?!${before}\\b)\\d+`))
  return took(pty)[1]
}

test('by keys, an order is created and stepped to CONFIRMED, its event held, released, copied and dropped, and time resumed', async () => {
  const { pty } = await up(120, 40)
  await pty.pressUntil('N', 'A new order for')
  // The clock is stopped at once, before a counterpart reacts to the order.
  await pty.pressUntil('d ', '‖ HOLD')
  await pty.until(now('CREATED'))
  for (let steps = 0; steps < 40; steps++)
    if ((await step(pty)).startsWith('confirm takes effect')) break
  await pty.until(now('CONFIRMED'))

  // Its event is the first item of the agenda.
  await pty.pressUntil('5', /━ FUTURE 5 Agenda/)
  await pty.until(/> +now ▸ #\d+ +CONFIRMED to polls/)
  const id = Number(/▸ #(\d+) +CONFIRMED/.exec(pty.text())?.[1])
  await pty.pressUntil('p', new RegExp(`held ‖ #${id} +CONFIRMED to polls`))
  await pty.until(', 1 held')
  await pty.pressUntil('p', new RegExp(`now ▸ #${id} +CONFIRMED to polls`))
  await pty.untilGone(', 1 held')
  await pty.pressUntil('d', `duplicated #${id} CONFIRMED to polls`)
  await pty.until(`copy of #${id}`)
  await pty.pressUntil('x', `dropped #${id} CONFIRMED to polls`)
  await pty.until(new RegExp(`▸ #${id + 1} +CONFIRMED to polls`))

  pty.resize(80, 24)
  await pty.until('1 Journal [2 Traffic] 3 Orders')
  await pty.until(/^ ‖ HOLD[^]*q quit$/)
  expect(pty.rows().length).toBe(24)
  pty.resize(120, 40)
  await pty.until('PRESENT 3 Orders')

  // The facts of this order only.
  await pty.pressUntil('1o', /\[1 Journal\].* only /)
  for (const text of [
    `held #${id}`,
    `released #${id}`,
    `copy of ${id} #${id + 1}: CONFIRMED to polls`,
    `dropped #${id}: CONFIRMED to polls`,
  ])
    await pty.until(fact(text))

  // Time resumes, faster, and the order proceeds.
  await pty.pressUntil(' ', '● LIVE')
  await pty.pressUntil('+++', /x8/)
  await pty.until(/[●✓] ?PREPARING/, 20_000)

  // The question says what is lost; another q is no answer to it.
  await pty.pressUntil('qq', /Quit\? +y yes +s saves first[^]*\d+ exchanges? not recorded/)
  pty.press('y')
  expect(await pty.exited).toEqual({ code: 0, signal: 0 })
  expect(pty.modes()).toEqual(untouchedModes)
  expect(pty.text()).toContain('1 order, 1 open; ')
  expect(pty.text()).not.toContain('FUTURE')
}, 90_000)

test('with a subject, the edited configuration takes effect, and the summary of verdicts is printed last', async () => {
  const { pty, cwd } = await up(100, 30, ['--as', 'software-service'])
  const file = join(cwd, 'sparring.config.yaml')
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8')}conduct: { emptyPoll: 200 }\nprotocol: { version: v3 }\n`,
  )
  await pty.until('configuration: conduct.emptyPoll is 200 now; protocol.version needs a restart')
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
  await pty.until(
    /0 orders[^]*Nothing was recorded[^]*verdicts {2}0 passed, 0 failed, \d+ not exercised/,
  )
})

test('a lost terminal ends it like an interrupt, with a complete recording', async () => {
  const { pty, cwd } = await up(120, 40, ['--record', 'x.rec.ndjson'])
  await pty.until('rec x.rec.ndjson')
  pty.hangUp()
  const file = join(cwd, 'x.rec.ndjson')
  const isOver = (): boolean => !existsSync(`${file}.lock`)
  await expect.poll(isOver, { timeout: 45_000 }).toBe(true)
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ _rec: { type: 'end', dropped: 0 } })
  expect(existsSync(join(cwd, 'ready.json'))).toBe(false)
})

/** Exchanges that take place while a key is answered: at a thousand per second, a tenth of a second. */
const maxExchanges = 100

// Seconds of load on every processor, which a busy machine disturbs.
const underLoad = { tags: ['nightly'], timeout: 90_000 }
test('a key gets an immediate reaction at a thousand exchanges per second', underLoad, async () => {
  const { pty, ready } = await up(120, 40)
  const made = await fetch(`${ready.control}/orders`, { method: 'POST', body: '{}' })
  const { orderId } = (await made.json()) as { orderId: string }
  await pty.until(orderId.slice(0, 8))
  const load = startLoad({
    url: ready.counterparts['ordering-application'] ?? '',
    perSecond: 1000,
    forMs: 60_000,
    orderId,
  })
  loads.push(load)
  await load.begun
  await pty.until(/\d{4} exchanges/, startMs)

  const times: number[] = []
  for (let count = 0; count < 20; count++) {
    const key = count % 2 === 0 ? '1' : '2'
    const wanted = key === '1' ? '[1 Journal]' : '[2 Traffic]'
    const pressed = performance.now()
    pty.press(key)
    while (!pty.text().includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 1))
    times.push(performance.now() - pressed)
  }
  // The load lasts throughout; on a busy machine it is less, and a key takes as much longer.
  load.stop()
  const end = await load.ended
  expect(end.failed).toBe(0)
  expect(end.unsuccessful).toBe(0)
  const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? Number.NaN
  expect((median * end.answered) / end.tookMs).toBeLessThan(maxExchanges)
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
})
