// @module-tag slow
/** The dashboard on a real session: the behaviour promised by the fake session. */
import { expect, test, onTestFinished } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { performAction } from './effects/perform.ts'
import { appearanceOf } from './view/appearance.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import { openSession } from '../../core/session/open-session.ts'

async function stepped(options: SessionOptions = {}) {
  const session = await openSession({
    clock: 'stepped',
    listen: false,
    capabilities: ordersOnly,
    ...options,
  })
  onTestFinished(() => session.close())
  return driveDashboardOn(session, { columns: 200, rows: 60 })
}

test('an order is created, stepped to CONFIRMED, and shown in the past', async () => {
  const screen = await stepped()
  expect(screen.lines()[0]).toContain('‖ HOLD')
  await screen.press('N', 't')
  expect(screen.line('PRESENT 4 Order')).toContain('TAKEOUT')
  for (let steps = 0; steps < 60 && !screen.text().includes('● CONFIRMED'); steps++)
    await screen.press('n')
  expect(screen.text()).toContain('✓ CREATED')
  expect(screen.text()).toContain('confirmOrder')
  const facts = screen.model().snapshot?.info.counts.facts ?? 0
  for (let back = 0; back < facts && !screen.text().includes('● CREATED'); back++)
    await screen.press(',')
  expect(screen.lines()[0]).toContain('« PAST entry')
  await screen.press('L')
  expect(screen.text()).toContain('● CONFIRMED')
})

test('[ORD-GEN-03] where your service is the Ordering Application, N makes no order and says where they come from', async () => {
  const screen = await stepped({ as: 'ordering-application' })
  expect(screen.text()).not.toContain('N makes')
  await screen.press('N')
  expect(screen.text()).toContain('orders originate in your service, the Ordering Application')
  expect(screen.model().snapshot?.info.counts.orders).toBe(0)
})

test('agenda items are held, duplicated, delayed, dropped', async () => {
  const screen = await stepped()
  await screen.press('N', 'd', '5', 'g', 'p')
  expect(screen.text()).toContain('1 held')
  await screen.press('p', 'd')
  expect(screen.text()).toContain('copy of #')
  const before = screen.model().snapshot?.info.counts.pending ?? 0
  await screen.press('t', 'x')
  expect(screen.model().snapshot?.info.counts.pending).toBe(before - 1)
})

test('a step takes the next visible item, after the hidden ones before it', async () => {
  const screen = await stepped()
  // The first items are no loops: the session connects its counterparts.
  while (!/ HOLD 0 /.test(screen.lines()[0] ?? '')) await screen.press('n')
  expect(screen.line('5 Agenda')).toMatch(/0 pending, \d hidden/)
  await screen.press('N', 'd', '5')
  expect(screen.line('▸')).toContain('CREATED to polls')
  await screen.press('t', 't')
  expect(screen.line('▸')).toMatch(/\+2\.\ds/)
  await screen.press('n')
  expect(screen.text()).toMatch(/took #\d+ CREATED to polls, after [2-9] hidden$/m)
  // When nothing is visible, a step takes one hidden item and reports it.
  expect(screen.text()).toContain('Nothing is pending.')
  await screen.press('n')
  expect(screen.text()).toMatch(/took #\d+ SS > OA pollingEvents$/m)
  await screen.press('b', '*')
  expect(screen.line('5 Agenda')).toMatch(/[1-9] pending ━/)
  expect(screen.text()).toContain('SS > OA pollingEvents')
})

test('with only one order shown, each step takes one of its items', async () => {
  const screen = await stepped()
  await screen.press('N', 'd', 'N', 't', 'o', '5')
  const own = screen.model().orderId
  for (let steps = 0; steps < 30 && !screen.text().includes('● CONFIRMED'); steps++) {
    const waits = (screen.model().snapshot?.agenda.length ?? 0) > 0
    await screen.press('n')
    const took = /took #\d+ (.*)$/m.exec(screen.text())?.[1]
    if (waits) expect(took).toMatch(/to polls|confirm|reads the order/)
  }
  expect(screen.text()).toContain('● CONFIRMED')
  expect(screen.model().orderId).toBe(own)
})

test('the agenda shows events, effects and moves of orders first, and * everything', async () => {
  const screen = await stepped({ capabilities: {} })
  await screen.press('N', 'd', '5')
  // The cursor is on the event of the new order: this is what d would duplicate.
  expect(screen.text()).toMatch(/> +now . #\d+ +CREATED to polls/)
  for (let steps = 0; steps < 80 && !screen.text().includes('● READY'); steps++)
    await screen.press('n')
  const shown = (): readonly string[] =>
    (screen.model().snapshot?.agenda ?? []).map(({ text }) => text)
  const ofOrders =
    /(to polls|by webhook|takes effect|^SS (confirm|preparing|ready|dispatch|collect|delivered)|^OA > SS |^SS > OA )/
  expect(shown().filter((text) => !ofOrders.test(text))).toEqual([])
  expect(screen.line('5 Agenda')).toMatch(/, \d+ hidden/)
  const before = shown().length
  await screen.press('*')
  expect(shown().length).toBeGreaterThan(before)
  expect(shown().some((text) => /courier|OA shares|delivery: /.test(text))).toBe(true)
  await screen.press('*')
  expect(shown().length).toBe(before)
})

test('with a service of yours the traffic shows its exchanges first, and * those of the others too', async () => {
  const screen = await stepped({ capabilities: {}, as: 'software-service' })
  await screen.press('N', 'd', 'A', 'A', '2')
  expect(screen.line('2 Traffic')).toMatch(/with your service \d+ hidden/)
  expect(screen.text()).toContain('not connected yet')
  expect(screen.text()).not.toContain('OA>CRM')
  await screen.press('*')
  expect(screen.line('2 Traffic')).not.toContain('with your service')
  expect(screen.text()).toContain('OA>CRM')
})

test('with a service of yours the journal shows what concerns it first, and * all; so does time travel', async () => {
  const screen = await stepped({ capabilities: {}, as: 'software-service' })
  await screen.press('N', 'd', 'A', 'A', '1')
  const ofOthers = (): number =>
    (screen.model().snapshot?.journal ?? []).filter(({ subject }) => subject !== true).length
  expect(screen.line('1 Journal')).toContain('of your service')
  expect(ofOthers()).toBe(0)
  await screen.press(',')
  expect(screen.line('1 Journal')).not.toContain('of your service')
  await screen.press('L', '*')
  expect(screen.line('1 Journal')).not.toContain('of your service')
  expect(ofOthers()).toBeGreaterThan(0)
  await screen.press('*')
  expect(ofOthers()).toBe(0)
})

test('on a wide screen paths name their orders, and merchants are whole', async () => {
  const screen = await stepped({ capabilities: {} })
  await screen.resize(200, 50)
  await screen.press('N', 'd', 'A', '2')
  const [order] = screen.model().snapshot?.orders ?? []
  expect(screen.line('3 Orders')).not.toBe('')
  expect(screen.text()).toContain(`/orders/${order?.orderId.slice(0, 8)}`)
  expect(screen.text()).toContain(` ${order?.merchant} `)
})

test('an item moves past the adjacent visible one, regardless of hidden items between them', async () => {
  const screen = await stepped()
  await screen.press('N', 'd', 'N', 't', '5', 'g')
  const items = (): readonly number[] => (screen.model().snapshot?.agenda ?? []).map(({ id }) => id)
  const [first = 0, second = 0] = items()
  await screen.press('J')
  expect(items().slice(0, 2)).toEqual([second, first])
  expect(screen.text()).toContain(`moved later: #${first} `)
  await screen.press('K', 'K')
  expect(items().slice(0, 2)).toEqual([first, second])
  expect(screen.text()).toContain(`#${first} is the first`)
})

test.each([204, 200] as const)(
  'polls without events are hidden when the reply is %i',
  async (emptyPoll) => {
    const screen = await stepped({ conduct: { emptyPoll } })
    await screen.press('A', '2')
    const polls = (): number =>
      screen.lines().filter((line) => line.includes('/events:polling')).length
    expect(polls()).toBe(0)
    expect(screen.line('2 Traffic')).toMatch(/ 1\d idle polls hidden /)
    // A poll with an event is not hidden.
    await screen.press('N', 'd', 'A')
    expect(polls()).toBeGreaterThan(0)
    const some = polls()
    await screen.press('b')
    expect(polls()).toBeGreaterThan(some + 10)
  },
)

test('each key of a burst acts on the result of the previous one', async () => {
  const session = await openSession({ clock: 'real', listen: false })
  onTestFinished(() => session.close())
  const clock = async () => (await session.look({})).info.clock
  for (const _ of [1, 2, 3]) await performAction(session, { kind: 'speed', by: 2 })
  expect((await clock()).speed).toBe(8)
  await performAction(session, { kind: 'toggle', resume: 'real' })
  expect((await clock()).mode).toBe('stepped')
  await performAction(session, { kind: 'toggle', resume: 'real' })
  expect(await clock()).toMatchObject({ mode: 'real', speed: 8 })
})

test('the session validates the filter', async () => {
  const screen = await stepped()
  await screen.press('N', 'd')
  for (let steps = 0; steps < 20; steps++) await screen.press('n')
  await screen.press('/')
  await screen.type('status>=')
  expect(screen.lines().at(-1)).toContain('needs a number')
  await screen.type('200')
  expect(screen.model().filter).toMatchObject({ valid: 'status>=200', problem: undefined })
  expect(screen.model().snapshot?.traffic.length).toBeGreaterThan(0)
})

test('an exchange and an order are shown in full', async () => {
  const screen = await stepped()
  await screen.press('N', 'd', '3', 'enter')
  expect(screen.text()).toContain('"orderType": "DELIVERY"')
  await screen.press('esc')
  for (let steps = 0; steps < 20; steps++) await screen.press('n')
  await screen.press('2', 'k', 'enter')
  expect(screen.text()).toContain('━ Exchange')
  expect(screen.text()).toContain('Reply')
})

test('panes 3 and 4 switch to accounts, deliveries, customers …, and > and a digit apply any trigger', async () => {
  const screen = await stepped({ capabilities: {} })
  await screen.press('N', 'd')
  const take = async (until: () => boolean): Promise<void> => {
    for (let steps = 0; steps < 400 && !until(); steps++) await screen.press('n')
    expect(until()).toBe(true)
  }
  await screen.press('l', 'right')
  expect(screen.line('PRESENT 3 Deliveries')).toContain('Deliveries')
  expect(screen.text()).toContain('No deliveries yet.')
  await take(() => /● PENDING/.test(screen.text()))
  expect(screen.line('PRESENT 4 Delivery')).toBeTruthy()
  expect(screen.text()).toMatch(/>1 assign +DP +ASSIGNED/)
  await screen.press('>', '1')
  expect(screen.text()).toContain('● ASSIGNED')
  expect(screen.text()).toContain('✓ PENDING')
  await screen.press('enter')
  expect(screen.text()).toContain('Document')
  expect(screen.text()).toContain('"status": "ASSIGNED"')
  await screen.press('esc', 'l')
  await take(() => screen.line('PRESENT 3 Customers') !== '' && / active /.test(screen.text()))
  expect(screen.text()).toMatch(/>\d opt-(in|out)/)
  await screen.press('h', 'left', 'h')
  expect(screen.line('PRESENT 3 Orders')).toContain('1, 1 open')
})

const token = { access_token: 'a', token_type: 'bearer', expires_in: 3600 }

/** A service that takes webhooks, in process. */
const takesWebhooks = (request: Request): Promise<Response> =>
  Promise.resolve(
    request.url.endsWith('/token') ? Response.json(token) : new Response(null, { status: 204 }),
  )

test('R sends an exchange again, chooses the new one, and says in one sentence what cannot be sent', async () => {
  const screen = await stepped({
    as: 'software-service',
    subject: takesWebhooks,
    conduct: { manifest: 'trust' },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  expect(screen.lines()[0]).toContain('no calls for a minute')
  await screen.press('N', 't')
  for (let steps = 0; steps < 30 && !screen.text().includes('POST /webhooks'); steps++)
    await screen.press('n')
  await screen.press('2', 'R')
  expect(screen.text()).toMatch(/sent again as #\d+: 204 in \d+ ms/)
  // In the numbers and bars of the last minute.
  expect(screen.lines()[0]).toMatch(/\d\/s {3}[▁▂▃▄▅▆▇█]{30} {3}p95 \S+ms {3}[▁▂▃▄▅▆▇█]{30}/)

  // A call of the service, from its detail: it is marked, and the detail shows the new one.
  const base = screen.session.urls.get('ordering-application')
  await screen.session.fetch(new Request(`${base}/orders/none`))
  await screen.refresh()
  await screen.press('enter', 'R')
  expect(screen.text()).toMatch(/again +#\d+, sent by hand in place of its caller: not judged/)
  await screen.press('esc')
  expect(screen.text()).toMatch(/again #\d+ /)

  // A token request too.
  await screen.press('/')
  await screen.type('issueToken')
  await screen.press('enter', 'R')
  expect(screen.text()).toContain('sent again as #')
})

test('# writes a note at an exchange, changes it, and an empty one takes it away', async () => {
  const screen = await stepped({ as: 'software-service', subject: takesWebhooks })
  const base = screen.session.urls.get('ordering-application')
  await screen.session.fetch(new Request(`${base}/orders/none`))
  await screen.refresh()
  await screen.press('2', '#')
  expect(screen.text()).toMatch(/note on #\d+ _/)
  await screen.type('asks for none')
  await screen.press('enter')
  expect(screen.text()).toMatch(/noted at #\d+/)
  await screen.press('enter')
  expect(screen.text()).toMatch(/note +asks for none/)
  await screen.press('#')
  expect(screen.text()).toMatch(/note on #\d+ asks for none_/)
  await screen.press('ctrl-u', 'enter')
  expect(screen.text()).toMatch(/#\d+ has no note/)
  expect(screen.text()).not.toMatch(/note +asks for none/)
})

test('the sparkline has an ASCII form, and at 80 columns the numbers are there', async () => {
  const session = await openSession({ clock: 'stepped', listen: false, capabilities: ordersOnly })
  onTestFinished(() => session.close())
  const appearance = appearanceOf({ TERM: 'dumb' }, { glyphs: 'ascii' })
  const screen = await driveDashboardOn(session, { columns: 150, rows: 40, appearance })
  await screen.press('N', 't')
  for (let steps = 0; steps < 20; steps++) await screen.press('n')
  expect(screen.lines()[0]).toMatch(/\/s {3}[_.:\-=+*#]{30} {3}p95 /)
  await screen.resize(80, 24)
  expect(screen.lines()[0]).toMatch(/\/s {3}p95 \S+ms/)
})
