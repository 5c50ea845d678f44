// @module-tag slow
/** Manual chaos through keys on a real session: edits, faults, verdicts, fork, scenarios, and the resulting screen. */
import { describe, expect, test, onTestFinished } from 'vitest'
import { err, ok } from '../../core/protocol/result.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { DashboardPorts, SaveScenarioRequest } from './effects/ports.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import { openSession } from '../../core/session/open-session.ts'

interface SetupOptions {
  readonly options?: SessionOptions
  readonly columns?: number
  readonly rows?: number
  readonly ports?: DashboardPorts
}

/** A session with a stopped clock and three orders whose first events are on the agenda. */
async function openThreeOrders({
  options,
  columns = 120,
  rows = 40,
  ports = {},
}: SetupOptions = {}) {
  const session: Session = await openSession({
    clock: 'stepped',
    seed: 7,
    listen: false,
    capabilities: ordersOnly,
    ...options,
  })
  onTestFinished(() => session[Symbol.asyncDispose]())
  // The counterparts connect first.
  await session.advance(500)
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) await session.createOrder({ type })
  const screen = await driveDashboardOn(session, { columns, rows, ports })
  await screen.press('5', 'g')
  return screen
}

type Screen = Awaited<ReturnType<typeof openThreeOrders>>

const ids = (screen: Screen): readonly number[] =>
  (screen.model().snapshot?.agenda ?? []).map(({ id }) => id)
const held = (screen: Screen): readonly number[] =>
  (screen.model().snapshot?.agenda ?? []).flatMap((row) => (row.held ? [row.id] : []))

describe('undo and redo', () => {
  test('z undoes the last edit, and Z redoes it', async () => {
    const screen = await openThreeOrders()
    const before = ids(screen)
    const [first = 0, second = 0] = before
    await screen.press('x')
    expect(ids(screen)).not.toContain(first)
    await screen.press('z')
    expect(ids(screen)).toEqual(before)
    expect(screen.text()).toContain(`undone, drop: #${first}`)
    await screen.press('J', 'p', 'z', 'z')
    expect(ids(screen)).toEqual(before)
    expect(held(screen)).toEqual([])
    await screen.press('Z')
    expect(ids(screen).slice(0, 2)).toEqual([second, first])
    expect(screen.text()).toContain('done again, move')
    await screen.press('z', 'z')
    expect(screen.text()).toContain('nothing was done to the agenda by hand that could be undone')
  })

  test('undo of an item taken meanwhile is refused with a reason; the same key again skips it', async () => {
    const screen = await openThreeOrders()
    const [first = 0, second = 0] = ids(screen)
    await screen.press('j', 'x', 'g', 't')
    for (let steps = 0; steps < 20 && ids(screen).includes(first); steps++) await screen.press('n')
    expect(ids(screen)).not.toContain(first)
    await screen.press('z')
    expect(screen.text()).toContain(`item ${first} was taken meanwhile: the delay cannot be undone`)
    expect(screen.text()).toContain('z again goes past it')
    await screen.press('z')
    expect(screen.text()).toContain(`undone, drop: #${second}`)
    expect(ids(screen)).toContain(second)
  })
})

describe('several items at once', () => {
  test('marked items are held, moved, delayed, duplicated and dropped together, each as one undo step', async () => {
    const screen = await openThreeOrders()
    const before = ids(screen)
    const [a = 0, b = 0, c = 0] = before
    await screen.press('m', 'j', 'm', 'g')
    expect(screen.line('5 Agenda')).toContain('2 marked')
    expect(screen.line(`#${a}`)).toMatch(/>\*/)
    await screen.press('p')
    expect(held(screen)).toEqual([a, c])
    await screen.press('p')
    expect(held(screen)).toEqual([])
    await screen.press('z', 'z')
    expect(held(screen)).toEqual([])
    await screen.press('J')
    expect(screen.text()).toContain('moved 2 items later')
    expect(ids(screen)).toEqual([b, a, c])
    await screen.press('K')
    expect(ids(screen)).toEqual([a, c, b])
    await screen.press('z', 'z')
    expect(ids(screen)).toEqual(before)
    await screen.press('d')
    expect(ids(screen)).toHaveLength(before.length + 2)
    await screen.press('z', 'x')
    expect(ids(screen)).toEqual([b])
    expect(screen.text()).toContain('dropped 2 items')
    expect(screen.model().agenda.marked).toEqual([])
    await screen.press('z')
    expect(ids(screen)).toEqual(before)
  })

  test('v selects a range up to the cursor, and esc ends it', async () => {
    const screen = await openThreeOrders()
    const [a = 0, b = 0, c = 0] = ids(screen)
    await screen.press('v', 'j')
    expect(screen.line('5 Agenda')).toContain('2 marked')
    await screen.press('t')
    expect(screen.text()).toContain('put 2 items off by 1 s')
    expect(ids(screen)).toEqual([c, a, b])
    await screen.press('esc', 'x')
    expect(ids(screen)).toHaveLength(2)
    expect(screen.text()).not.toContain('marked')
  })

  test('P releases all that is held', async () => {
    const screen = await openThreeOrders()
    await screen.press('v', 'G', 'p', 'esc')
    expect(held(screen)).toHaveLength(3)
    await screen.press('P')
    expect(held(screen)).toEqual([])
    expect(screen.text()).toContain('released 3 items')
  })

  test('items that are gone are left out, and reported', async () => {
    const screen = await openThreeOrders()
    await screen.press('v', 'G', 'v')
    const [first = 0] = ids(screen)
    await screen.session.submit({ kind: 'agenda.drop', id: first })
    await screen.press('d')
    expect(screen.text()).toContain('duplicated 2 items; 1 was gone')
  })
})

describe('the editor', () => {
  /** An editor that applies one change after the other to its input. */
  function editor(...hands: readonly ((text: string) => string)[]) {
    const shown: { text: string; name: string }[] = []
    const ports: DashboardPorts = {
      editText(text, name) {
        const hand = hands[shown.length]
        shown.push({ text, name })
        return Promise.resolve(hand ? ok(hand(text)) : err('no more hands'))
      },
    }
    return { ports, shown }
  }

  test('the body of a pending event is edited, and the edit undone', async () => {
    const { ports, shown } = editor((text) =>
      text.replace(/"createdAt": "[^"]*"/, '"createdAt": "2001-01-01T00:00:00Z"'),
    )
    const screen = await openThreeOrders({ ports })
    await screen.press('e')
    expect(shown[0]?.name).toBe('CREATED.json')
    expect(JSON.parse(shown[0]?.text ?? '')).toMatchObject({ eventType: 'CREATED' })
    expect(screen.text()).toContain('CREATED changed: createdAt')
    await screen.press('enter')
    expect(screen.text()).toContain('"createdAt": "2001-01-01T00:00:00Z"')
    await screen.press('esc', 'z')
    expect(screen.text()).toContain('undone, edit: the event as it was')
    await screen.press('enter')
    expect(screen.text()).not.toContain('2001-01-01')
  })

  test('invalid JSON is reported with its position, and edited again', async () => {
    const { ports, shown } = editor(
      (text) => text.replace(/,\n/, '\n'),
      (text) => text.replace(/"eventType": "CREATED"\n/, '"eventType": "CONFIRMED",\n'),
    )
    const screen = await openThreeOrders({ ports, columns: 120, rows: 40 })
    await screen.press('e')
    expect(screen.text()).toMatch(/line 3, column 3: a comma or } is missing/)
    expect(screen.text()).toContain('e edits again')
    await screen.press('esc')
    expect(screen.model().prompt).toBeUndefined()
    expect(shown).toHaveLength(1)
  })

  test('the editor reopens with the rejected text', async () => {
    const { ports, shown } = editor(
      (text) => `${text}!`,
      (text) => text.replace('!', '').replace('"CREATED"', '"X_CREATED"'),
    )
    const screen = await openThreeOrders({ ports })
    await screen.press('e')
    expect(screen.lines().at(-1)).toContain('the text goes on after its end')
    await screen.press('e')
    expect(shown[1]?.text).toMatch(/!$/)
    expect(screen.text()).toContain('CREATED changed: eventType')
  })

  test.each([
    ['empty', () => ' \n', 'the file was empty: nothing was changed'],
    ['the same', (text: string) => text, 'nothing was changed'],
    [
      'only laid out anew',
      (text: string) => JSON.stringify(JSON.parse(text)),
      'nothing was changed',
    ],
  ])('a file that is %s does nothing', async (_change, hand, notice) => {
    const screen = await openThreeOrders({ ports: editor(hand).ports })
    const before = screen.model().snapshot?.info.counts.facts
    await screen.press('e')
    expect(screen.text()).toContain(notice)
    expect(screen.model().snapshot?.info.counts.facts).toBe(before)
  })

  test('the fields of any other item are edited, and a refusal of the world is reported', async () => {
    const { ports } = editor(
      (text) => text.replace('"confirm"', '"nonsense"'),
      (text) => text.replace('"nonsense"', '"cancel"'),
    )
    const screen = await openThreeOrders({ ports })
    for (let steps = 0; steps < 40 && !screen.text().includes('confirm takes effect'); steps++)
      await screen.press('n')
    const row = screen
      .model()
      .snapshot?.agenda.findIndex(({ text }) => text.startsWith('confirm takes'))
    await screen.press('g', ...Array.from({ length: row ?? 0 }, () => 'j'), 'e')
    expect(screen.text()).toContain('cannot be edited so: trigger')
    await screen.press('e')
    expect(screen.text()).toMatch(/edited #\d+: trigger/)
    expect(screen.line('cancel takes effect')).toContain('edited')
    await screen.press('z')
    expect(screen.text()).toContain('confirm takes effect')
  })

  test('a new order is written from the document of another one', async () => {
    const { ports, shown } = editor((text) =>
      text.replace(/"displayId": "[^"]*"/, '"displayId": "4711"'),
    )
    const screen = await openThreeOrders({ ports })
    await screen.press('N', 'e')
    expect(shown[0]?.name).toBe('order.json')
    expect(Object.keys(JSON.parse(shown[0]?.text ?? '{}') as object)).not.toContain('id')
    expect(screen.text()).toContain('4711')
    expect(screen.model().snapshot?.info.counts.orders).toBe(4)
  })
})

describe('faults', () => {
  test('a fault is added from the list, with options validated while they are typed', async () => {
    const screen = await openThreeOrders()
    await screen.press('f')
    expect(screen.text()).toContain('No fault is active.')
    const target = (): string => screen.lines().find((line) => line.startsWith('>')) ?? ''
    for (let moves = 0; moves < 80 && !/^> *drop /.test(target()); moves++) await screen.press('j')
    expect(target()).toContain('an event is never delivered')
    // The order of the item that is chosen in the agenda is in the form already; as a line it is typed over.
    await screen.press('enter')
    expect(screen.lines().at(-1)).toMatch(/^ drop:order=o\d /)
    await screen.press('ctrl-e', 'ctrl-u')
    await screen.type('drop:event')
    expect(screen.lines().at(-1)).toContain('which is no key=value')
    await screen.press('enter', 'ctrl-e')
    expect(screen.text()).toContain('which is no key=value')
    await screen.type('=CONFIRMED,limit=2')
    expect(screen.lines().at(-1)).not.toContain('no key=value')
    await screen.press('enter')
    expect(screen.line('drop:event=CONFIRMED,limit=2')).toMatch(/fired 0 of 2.*conformant/)
    expect(screen.lines()[0]).toContain('1 fault')
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
  })

  test('a fault is changed and removed, and all faults are ended', async () => {
    const screen = await openThreeOrders()
    await screen.session.submit({ kind: 'fault.add', spec: 'drop:event=CONFIRMED' })
    await screen.session.submit({ kind: 'fault.add', spec: 'duplicate:times=3,for=60s' })
    await screen.press('f', 'g', 'enter')
    expect(screen.text()).toContain('Change fault 1')
    for (let moves = 0; moves < 20 && !/^>nth /m.test(screen.text()); moves++)
      await screen.press('tab')
    await screen.type('2')
    expect(screen.lines().at(-1)).toContain('drop:event=CONFIRMED,nth=2')
    await screen.press('ctrl-s')
    const live = () =>
      screen.model().snapshot?.faults.filter(({ over }) => over === undefined) ?? []
    expect(live().map(({ text }) => text)).toEqual([
      'duplicate:times=3,for=60s',
      'drop:event=CONFIRMED,nth=2',
    ])
    expect(screen.line('duplicate:times=3')).toContain('1m00s left')
    await screen.press('g', 'x')
    expect(live().map(({ name }) => name)).toEqual(['drop'])
    await screen.press('0')
    expect(live()).toEqual([])
    expect(screen.text()).toContain('No fault is active.')
    expect(screen.text()).toMatch(/○ .*duplicate:times=3,for=60s.*removed/)
    await screen.press('x')
    expect(screen.text()).toContain('no active fault is chosen')
  })
})

describe('verdicts', () => {
  async function failing() {
    const harness = await openHarness({ seed: 1, defects: ['confirms-unread'] })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    await harness.order('TAKEOUT')
    await harness.pass(20_000)
    return driveDashboardOn(harness.session, { columns: 160, rows: 50 })
  }

  test('the header counts failed rules, and I opens sentence, clauses and evidence', async () => {
    const screen = await failing()
    const verdicts = screen.model().snapshot?.verdicts ?? []
    const count = verdicts.filter(({ outcome }) => outcome === 'failed').length
    expect(count).toBeGreaterThan(0)
    expect(screen.lines()[0]).toMatch(new RegExp(`✗ ${count} rules? failed`))
    await screen.press('I')
    const first = screen.lines().find((line) => line.startsWith('>')) ?? ''
    expect(first).toMatch(/✗ \S+ +failed/)
    await screen.press('enter')
    const { remedy = '', clauses = [] } = verdicts.find(({ id }) => first.includes(` ${id} `)) ?? {}
    expect(clauses).not.toEqual([])
    expect(screen.text()).toContain(remedy)
    // Each clause with its sentence, document and chapter.
    for (const id of clauses)
      expect(screen.text().replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(` ${id} [A-Z].+\\. \\([123] [A-Z][^:]+: `),
      )
    expect(screen.text()).toMatch(/1\. \d\d:\d\d:\d\d\.\d{3} o1/)
    const evidence = screen.lines().find((line) => line.startsWith('>')) ?? ''
    const seq = Number(/#(\d+)/.exec(evidence)?.[1])
    await screen.press('enter')
    expect(screen.model()).toMatchObject({ overlay: undefined, traffic: { chosen: seq } })
    await screen.press('enter')
    expect(screen.text()).toContain(`━ Exchange ${seq}`)
    await screen.press('esc', 'I', 'enter', 'esc')
    expect(screen.text()).toContain('━ Invariants')
    await screen.press('r')
    expect(screen.text()).toMatch(/\d+ failed, \d+ open, \d+ passed, \d+ not exercised/)
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
  })

  test('a correct subject holds all invariants, and an absent subject is not judged', async () => {
    const harness = await openHarness({ seed: 1 })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
    const screen = await driveDashboardOn(harness.session, { columns: 160, rows: 50 })
    expect(screen.lines()[0]).toMatch(/✓ \d+ rules passed/)
    const nobody = await openThreeOrders()
    expect(nobody.lines()[0]).not.toMatch(/passed|failed/)
    await nobody.press('I')
    expect(nobody.text()).toContain('there is nothing to check')
    expect(nobody.model().overlay).toBeUndefined()
  })

  test('a distorted exchange is marked in the traffic, its detail names the fault, and w explains it', async () => {
    const harness = await openHarness({ seed: 1, faults: ['fail:operation=getOrder,limit=1'] })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    const orderId = await harness.order('TAKEOUT')
    await harness.pass(20_000)
    const screen = await driveDashboardOn(harness.session, { columns: 160, rows: 50 })
    const marked = screen.model().snapshot?.traffic.find(({ fault }) => fault !== undefined)
    expect(screen.line('~fail')).toContain('getOrder')
    await screen.press('2', 'k')
    for (let up = 0; up < 40 && screen.model().traffic.chosen !== marked?.seq; up++)
      await screen.press('k')
    await screen.press('enter')
    expect(screen.line(' fault ')).toContain(`${marked?.fault}`)
    await screen.press('esc', 'w')
    expect(screen.text()).toContain(`━ Story of ${orderId.slice(0, 8)}`)
    expect(screen.text()).toContain('What happened')
    await screen.press('enter')
    expect(screen.model().traffic.chosen).toBeGreaterThan(0)
  })
})

describe('pinned orders', () => {
  test('m marks an order, which stays on top of the list, and the quote keys cycle through marked orders', async () => {
    const screen = await openThreeOrders({ columns: 180 })
    await screen.press('3', 'G')
    const oldest = screen.model().orderId
    await screen.press('m')
    for (let count = 0; count < 30; count++) await screen.session.createOrder({})
    await screen.press('g')
    const rows = screen.lines().filter((line) => line.includes('^'))
    expect(rows[0]).toContain(oldest?.slice(0, 4))
    expect(screen.model().orderId).not.toBe(oldest)
    await screen.press("'")
    expect(screen.model().orderId).toBe(oldest)
    await screen.press('o')
    expect(screen.line('5 Agenda')).toContain(`only ${oldest?.slice(0, 8)}`)
    await screen.press('o', 'm')
    expect(screen.model().pinned).toEqual([])
  })
})

describe('fork', () => {
  test('C in the past asks for confirmation, and then that fact is the present', async () => {
    const screen = await openThreeOrders()
    const facts = screen.model().snapshot?.info.counts.facts ?? 0
    await screen.press('x', 'n', 'n', 'n')
    await screen.press('C')
    expect(screen.text()).toContain('this is now: , goes back')
    await screen.press('1', 'F')
    for (let back = 0; back < 200 && (screen.model().at ?? Infinity) > facts; back++)
      await screen.press(',')
    expect(screen.lines().at(-1)).toContain('C go on from here')
    await screen.press('C')
    expect(screen.lines().at(-1)).toContain(`Go on from entry ${facts}?`)
    await screen.press('y')
    expect(screen.text()).toContain(
      `the session goes on from entry ${facts}; what went over the wire is not undone`,
    )
    expect(screen.lines()[0]).toContain(`forked at ${facts}`)
    expect(screen.lines()[0]).toContain('‖ HOLD 3')
    await screen.press('5', 'n')
    expect(screen.text()).toContain('took #')
  })
})

describe('saving', () => {
  test('s prompts for a name and saves all actions; it asks before it overwrites', async () => {
    const wishes: SaveScenarioRequest[] = []
    const screen = await openThreeOrders({
      ports: {
        saveScenario(wish) {
          wishes.push(wish)
          return Promise.resolve(
            wish.overwrite
              ? ok(`scenarios/${wish.name}.yaml`)
              : err({ kind: 'exists' as const, file: `scenarios/${wish.name}.yaml` }),
          )
        },
      },
    })
    await screen.press('m', 'm', 'x', 's')
    await screen.type('../x')
    await screen.press('enter')
    expect(screen.text()).toContain('a name has letters, digits')
    await screen.press('ctrl-u')
    await screen.type('late-one')
    await screen.press('enter')
    expect(screen.lines().at(-1)).toContain('scenarios/late-one.yaml is there already')
    await screen.press('y')
    expect(screen.text()).toContain('written: scenarios/late-one.yaml')
    expect(wishes.map(({ name, overwrite }) => [name, overwrite])).toEqual([
      ['late-one', false],
      ['late-one', true],
    ])
    const { operatorActions } = await screen.session.look({ operatorActions: true })
    expect(operatorActions.map(({ what }) => what.kind)).toEqual([
      'advance',
      'order',
      'order',
      'order',
      'command',
    ])
    expect(operatorActions.at(-1)?.items).toHaveLength(2)
  })
})

describe('on every size of screen', () => {
  test.each([
    [80, 24],
    [60, 16],
    [120, 40],
    [200, 60],
    [40, 10],
  ])('every overlay fills %i x %i cells exactly', async (columns, rows) => {
    const screen = await openThreeOrders({ columns, rows })
    await screen.session.submit({ kind: 'fault.add', spec: 'drop:event=CONFIRMED' })
    for (const keys of [
      ['f'],
      ['enter'],
      ['tab', 'x', 'ctrl-e'],
      ['esc', 'esc', '5', 'm', 'm', 'v'],
      ['esc', '3', 'm'],
      ['w'],
      ['esc', 's'],
      ['esc', ',', 'C'],
    ]) {
      await screen.press(...keys)
      const lines = screen.lines()
      expect(lines.length).toBe(rows)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    }
  })

  test('an ASCII terminal gets ASCII only', async () => {
    const { appearanceOf } = await import('./view/appearance.ts')
    const harness = await openHarness({ seed: 1 })
    onTestFinished(() => harness[Symbol.asyncDispose]())
    await harness.order('TAKEOUT')
    await harness.pass(20_000)
    const appearance = appearanceOf({ TERM: 'dumb' })
    const screen = await driveDashboardOn(harness.session, { columns: 120, rows: 40, appearance })
    for (const keys of [['f'], ['esc', 'I'], ['enter'], ['esc', 'esc', 'w']]) {
      await screen.press(...keys)
      expect(screen.text()).toMatch(/^[ -~\n]*$/)
    }
  })
})
