/** The dashboard on a fake session: key presses and the resulting screen. */
import { describe, expect, test } from 'vitest'
import { driveDashboard } from '../../../test/support/dashboard/drive.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { losses } from './model/leaving.ts'
import { cellWidth } from './view/text/cells.ts'

describe('the first look', () => {
  test('an empty session shows what it waits for, and the key that changes that', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    expect(screen.text()).toContain('● LIVE')
    expect(screen.text()).toContain('Waiting for the first request.')
    expect(screen.text()).toContain('Listening: OA http://127.0.0.1:7101')
    expect(screen.text()).toContain('No orders yet.')
    expect(screen.text()).toContain('N makes an order.')
    expect(screen.text()).toContain('Nothing is pending.')
    expect(screen.text()).toContain('space stops the clock')
  })

  test('the titles of the three columns are shown', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    for (const name of ['PAST 1 Journal', 'PAST 2 Traffic', 'PRESENT 3 Orders', 'FUTURE 5 Agenda'])
      expect(screen.text()).toContain(name)
  })

  test('the header names the counterparts with their addresses, the subject, the seed and the recording', async () => {
    const recording = { file: 'recordings/demo.rec.ndjson', written: 12 }
    const screen = await driveDashboard({ subject: true, recording })
    const [first = '', second = ''] = screen.lines()
    expect(first).toContain('seed 42')
    expect(first).toContain('rec demo.rec.ndjson 12')
    expect(second).toContain('OA http://127.0.0.1:7101')
    expect(second).toContain('your service SS http://127.0.0.1:3000')
  })

  test('a failed recording always stays in the header', async () => {
    const recording = { file: 'a.ndjson', written: 0, problem: 'no space left on device' }
    const screen = await driveDashboard({ columns: 60, rows: 16, recording })
    expect(screen.lines()[0]).toContain('recording: no space left on device')
  })
})

describe('the frame', () => {
  const sizes = [
    [80, 24],
    [100, 30],
    [120, 40],
    [150, 45],
    [200, 60],
    [40, 10],
    [59, 15],
    [20, 4],
  ] as const
  test.each(sizes)('fills %i x %i cells exactly', async (columns, rows) => {
    const screen = await driveDashboard({ columns, rows, subject: true })
    await screen.press('N', 'd', 'N', 't')
    screen.session.pass(6000)
    screen.session.poll(503)
    screen.session.poll(0, 'ECONNREFUSED')
    await screen.refresh()
    for (const keys of [
      [],
      ['?'],
      ['esc', '3', 'enter'],
      ['esc', '2', 'k', 'enter'],
      ['esc', '/'],
    ]) {
      await screen.press(...keys)
      const lines = screen.lines()
      expect(lines.length).toBe(rows)
      expect(Math.max(...lines.map(cellWidth))).toBeLessThanOrEqual(columns)
    }
  })

  test('an ASCII terminal gets ASCII only', async () => {
    const { appearanceOf } = await import('./view/appearance.ts')
    const screen = await driveDashboard({ appearance: appearanceOf({ TERM: 'dumb' }) })
    await screen.press('N', 'd', '5', 'p', '!', 'esc', ',')
    expect(screen.text()).toMatch(/^[ -~\n]*$/)
  })

  test('rows of traffic are ASCII in every glyph set', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd')
    screen.session.pass(6000)
    await screen.refresh()
    expect(screen.line('receiveOrderEvent') + screen.line('/confirm')).toMatch(/\/confirm/)
    const right = screen.line('/v2/orders/*/confirm').slice(46)
    expect(right).toMatch(/^[ -~]*$/)
  })

  test('a tiny terminal shows the badge, the focused list, and the size needed for panes', async () => {
    const screen = await driveDashboard({ columns: 40, rows: 10 })
    await screen.press('N', 'd')
    expect(screen.lines()[0]).toMatch(/LIVE.*panes need 60x16/)
    await screen.press('5')
    expect(screen.text()).toContain('FUTURE 5 Agenda')
    await screen.resize(20, 4)
    expect(screen.text().trim()).toMatch(/^● LIVE {3}12:00:00$/)
  })
})

describe('stopping the clock', () => {
  test('space stops the clock, n takes one item at a time, space resumes', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', 'space')
    expect(screen.lines()[0]).toContain('‖ HOLD 1')
    await screen.press('n')
    expect(screen.text()).toContain('took #1 confirm is applied')
    expect(screen.text()).toContain('● CONFIRMED')
    screen.session.pass(60_000)
    await screen.refresh()
    expect(screen.text()).toContain('● CONFIRMED')
    await screen.press('space')
    expect(screen.lines()[0]).toContain('● LIVE')
  })

  test('a virtual clock resumes as virtual', async () => {
    const screen = await driveDashboard({ mode: 'virtual' })
    await screen.press('space')
    expect(screen.lines()[0]).toContain('HOLD')
    await screen.press('space')
    expect(screen.model().snapshot?.info.clock.mode).toBe('virtual')
  })

  test('a step with nothing pending reports so', async () => {
    const screen = await driveDashboard()
    await screen.press('n')
    expect(screen.text()).toContain('nothing is pending')
  })

  test('+ doubles the speed of the clock, a advances it by 1 s', async () => {
    const screen = await driveDashboard()
    await screen.press('+', '+')
    expect(screen.lines()[0]).toContain('real clock x4')
    await screen.press('N', 'd', 'a')
    expect(screen.text()).toContain('1 s passed')
    expect(screen.line('confirm is applied')).toContain('+0.2s')
  })
})

describe('the agenda', () => {
  const openStopped = async () => {
    const screen = await driveDashboard()
    await screen.press('space', 'N', 'd', 'N', 't', 'N', 'i', '5', 'g')
    return screen
  }
  const agenda = (screen: Awaited<ReturnType<typeof openStopped>>): readonly string[] =>
    (screen.model().snapshot?.agenda ?? []).map(({ id }) => `#${id}`)

  test('p holds an item and releases it again', async () => {
    const screen = await openStopped()
    await screen.press('j', 'p')
    expect(screen.line('held ‖ #2')).toContain('confirm is applied')
    expect(screen.text()).toContain('2 pending, 1 held')
    await screen.press('p')
    expect(screen.text()).not.toContain('1 held')
  })

  test('x drops an item, and the next one gets the cursor', async () => {
    const screen = await openStopped()
    await screen.press('j', 'x')
    expect(agenda(screen)).toEqual(['#1', '#3'])
    expect(screen.text()).toContain('dropped #2')
    expect(screen.line('>  +1.2s')).toContain('#3')
    await screen.press('x', 'x')
    expect(screen.text()).toContain('Nothing is pending.')
  })

  test('d duplicates an item, and the copy names its original', async () => {
    const screen = await openStopped()
    await screen.press('d')
    expect(agenda(screen)).toEqual(['#1', '#4', '#2', '#3'])
    expect(screen.line('#4')).toContain('(copy of #1)')
  })

  test('in a narrow pane a copy is marked before its text, where it is not cut off', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45, mode: 'stepped' })
    await screen.press('N', 'd', '5', 'd')
    expect(screen.text()).toContain('[copy] confirm')
  })

  test('t delays by 1 s, T by 10 s', async () => {
    const screen = await openStopped()
    await screen.press('t')
    expect(screen.line('#1   ')).toContain('+2.2s')
    await screen.press('T')
    expect(screen.line('#1   ')).toContain('+12.2s')
  })

  test('a burst of K moves the item up once per key', async () => {
    const screen = await openStopped()
    await screen.press('G', 'K', 'K')
    expect(agenda(screen)).toEqual(['#3', '#1', '#2'])
    await screen.press('J')
    expect(agenda(screen)).toEqual(['#1', '#3', '#2'])
    expect(screen.session.submitted.map(({ kind }) => kind)).toEqual([
      'agenda.move',
      'agenda.move',
      'agenda.move',
    ])
  })

  test('choosing an item selects its order', async () => {
    const screen = await openStopped()
    await screen.press('g')
    expect(screen.line('PRESENT 4 Order')).toContain('1001 DELIVERY')
    await screen.press('j')
    expect(screen.line('PRESENT 4 Order')).toContain('1002 TAKEOUT')
  })

  test('the details of the chosen item and its effect are shown at the foot', async () => {
    const screen = await openStopped()
    expect(screen.text()).toContain('→ CREATED > CONFIRMED')
  })

  test('a refusal is shown with its code and message', async () => {
    const screen = await openStopped()
    await screen.session.submit({ kind: 'agenda.drop', id: 1 })
    await screen.press('p')
    expect(screen.text()).toContain('refused, NOT_FOUND: that item is gone')
  })
})

describe('an order', () => {
  test('N prompts for the profile; esc cancels', async () => {
    const screen = await driveDashboard()
    await screen.press('N')
    expect(screen.lines().at(-1)).toContain('d delivery')
    await screen.press('esc')
    expect(screen.model().snapshot?.orders).toEqual([])
    await screen.press('N', 't')
    expect(screen.text()).toContain('1001 TAKEOUT')
    expect(screen.text()).toContain('a new order was made')
  })

  test('its lifecycle shows past, current and possible statuses', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    await screen.press('N', 't')
    screen.session.pass(1500)
    await screen.refresh()
    expect(screen.text()).toContain('✓ CREATED')
    expect(screen.text()).toContain('● CONFIRMED')
    expect(screen.text()).toContain('○ PREPARING')
    expect(screen.line('>1 ')).toContain('preparing')
    expect(screen.line('!1 ')).toContain('confirm')
  })

  test('on a small screen its lifecycle is a strip around the current status', async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    await screen.press('N', 'd')
    expect(screen.line('●CREATED')).toContain('○CONFIRMED')
    screen.session.pass(9000)
    await screen.refresh()
    expect(screen.line('●READY')).toMatch(/✓PREPARING ─ ●READY ─ ○IN_DELIVERY/)
    await screen.resize(62, 16)
    expect(screen.line('●READY')).toMatch(/^ … .*●READY/)
  })

  test('> and a digit make a valid transition; a digit alone goes to a pane', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 't', '>')
    expect(screen.lines().at(-1)).toContain('1 confirm')
    await screen.press('1')
    expect(screen.text()).toContain('● CONFIRMED')
    await screen.press('4', '1')
    expect(screen.line('1 Journal')).toContain('━ PAST')
    expect(screen.text()).toContain('● CONFIRMED')
  })

  test('! and a digit force an invalid move', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 't', '!')
    expect(screen.lines().at(-1)).toContain('1 preparing')
    await screen.press('5')
    expect(screen.text()).toContain('● DELIVERED')
    expect(screen.session.submitted.at(-1)).toMatchObject({ kind: 'order.apply', force: true })
  })

  test('a digit without a move reports so', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 't', '>', '9')
    expect(screen.text()).toContain('there is no transition 9')
    expect(screen.session.submitted).toEqual([])
  })

  test('o shows only this order in every pane', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    await screen.press('N', 'd', 'N', 't')
    screen.session.pass(3000)
    await screen.refresh()
    await screen.press('o')
    expect(screen.text()).not.toContain('00000001')
    expect(screen.text()).toContain('only 00000002')
    await screen.press('esc')
    expect(screen.text()).toContain('00000001')
  })

  test('enter opens its status history, events and document', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', '3', 'enter')
    expect(screen.text()).toContain('━ Order 00000001-5f1e')
    expect(screen.text()).toContain('"displayId": "1001"')
    await screen.press('q')
    expect(screen.text()).toContain('PRESENT 3 Orders')
  })
})

describe('following', () => {
  const openBusy = async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    for (let count = 0; count < 40; count++) screen.session.poll()
    await screen.refresh()
    return screen
  }

  test('the list follows the newest exchange until the cursor moves up; then its rows stay', async () => {
    const screen = await openBusy()
    expect(screen.line('2 Traffic')).toContain('following')
    await screen.press('k', 'k')
    const before = screen.lines().filter((line) => line.includes('GET'))
    expect(screen.line('2 Traffic')).toContain('paused')
    for (let count = 0; count < 25; count++) screen.session.poll()
    await screen.refresh()
    expect(screen.lines().filter((line) => line.includes('GET'))).toEqual(before)
    expect(screen.line('2 Traffic')).toContain('paused, 25 new')
    await screen.press('G')
    expect(screen.line('2 Traffic')).toContain('following')
  })

  test('the cursor reaches the whole list, by rows or half screens', async () => {
    const screen = await openBusy()
    for (let count = 0; count < 39; count++) await screen.press('k')
    expect(screen.model().traffic.chosen).toBe(1)
    await screen.press('ctrl-d')
    expect(screen.model().traffic.chosen).toBe(6)
    await screen.press('g')
    expect(screen.model().traffic.chosen).toBe(1)
    expect(screen.lines().filter((line) => line.includes('GET')).length).toBe(10)
    await screen.press('k')
    expect(screen.model().traffic.chosen).toBe(1)
  })

  test('F toggles following', async () => {
    const screen = await openBusy()
    await screen.press('F')
    expect(screen.model().traffic).toMatchObject({ follow: false, chosen: 40 })
    await screen.press('F')
    expect(screen.model().traffic.follow).toBe(true)
  })

  test('choosing an exchange selects its order', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', 'N', 't')
    screen.session.pass(1300)
    await screen.refresh()
    await screen.press('2', 'k', 'k', 'k')
    expect(screen.line('PRESENT 4 Order')).toContain('1001')
  })
})

describe('the filter', () => {
  const openMixedTraffic = async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    screen.session.poll()
    screen.session.poll(503)
    screen.session.poll()
    await screen.refresh()
    await screen.press('2', '/')
    return screen
  }

  test('idle polls are hidden and counted in the title, and b shows them', async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    screen.session.poll(204)
    await screen.refresh()
    expect(screen.text()).toContain('Nothing but idle polls lately.')
    expect(screen.line('2 Traffic')).toContain('1 idle poll hidden')
    screen.session.poll(204)
    screen.session.poll()
    await screen.refresh()
    const shown = (): number => screen.lines().filter((line) => line.includes('GET')).length
    expect(shown()).toBe(1)
    expect(screen.line('2 Traffic')).toContain('2 idle polls hidden')
    expect(screen.lines().at(-1)).toMatch(/^ b idle polls/)
    await screen.press('b')
    expect(shown()).toBe(3)
    expect(screen.line('2 Traffic')).not.toContain('hidden')
    await screen.press('b', '/')
    await screen.type('204')
    expect(shown()).toBe(0)
    await screen.press('ctrl-u')
    await screen.type('polling')
    expect(shown()).toBe(3)
  })

  test('applies while it is typed, and counts hidden exchanges', async () => {
    const screen = await openMixedTraffic()
    await screen.type('status>=400')
    expect(screen.line('2 Traffic')).toContain('/status>=400 (2 hidden)')
    expect(screen.lines().filter((line) => line.includes('GET')).length).toBe(1)
    await screen.press('enter')
    expect(screen.lines().at(-1)).toContain('? help')
    await screen.press('esc')
    expect(screen.lines().filter((line) => line.includes('GET')).length).toBe(3)
  })

  test('while it is invalid the last valid one applies, and the error is shown', async () => {
    const screen = await openMixedTraffic()
    await screen.type('503')
    await screen.type(' /(')
    expect(screen.lines().at(-1)).toContain('/( has no / at its end')
    await screen.type('/')
    expect(screen.lines().at(-1)).toContain('/(/ is no regular expression')
    expect(screen.lines().filter((line) => line.includes('GET')).length).toBe(1)
    await screen.press('enter')
    expect(screen.model().filter.draft).toBe('503 ')
    expect(screen.model().notice?.text).toContain('is no regular expression')
  })

  test('letters are text there, and esc restores the previous filter', async () => {
    const screen = await openMixedTraffic()
    await screen.type('q!x n?')
    expect(screen.model().filter.draft).toBe('q!x n?')
    expect(screen.terminalActions).toEqual([])
    await screen.press('backspace', 'ctrl-u')
    expect(screen.model().filter.draft).toBe('')
    await screen.type('50')
    await screen.press('esc')
    expect(screen.model()).toMatchObject({ prompt: undefined, filter: { draft: '' } })
  })

  test('when nothing matches, the pane shows how to clear it', async () => {
    const screen = await openMixedTraffic()
    await screen.type('nowhere')
    expect(screen.text()).toContain('No exchange matches the filter.')
  })
})

describe('the past', () => {
  const openWithHistory = async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    await screen.press('N', 't')
    screen.session.pass(1500)
    await screen.refresh()
    return screen
  }

  test(', shows the orders and the agenda at the previous fact, and L returns to now', async () => {
    const screen = await openWithHistory()
    expect(screen.text()).toContain('● CONFIRMED')
    await screen.press(',', ',')
    expect(screen.lines()[0]).toMatch(/« PAST entry 3/)
    expect(screen.text()).toContain('● CREATED')
    expect(screen.lines().at(-1)).toContain('L back to now')
    await screen.press('.')
    expect(screen.lines()[0]).toMatch(/« PAST entry 4/)
    await screen.press('L')
    expect(screen.lines()[0]).toContain('● LIVE')
    expect(screen.text()).toContain('● CONFIRMED')
  })

  test('editing keys are disabled in the past, with a reason', async () => {
    const screen = await openWithHistory()
    await screen.press(',', '5', 'x')
    expect(screen.text()).toContain('the past cannot be changed: L goes back to now')
    await screen.press('n', 'space', 'N', '!')
    expect(screen.session.submitted).toEqual([])
    expect(screen.model().prompt).toBeUndefined()
  })

  test('later facts are counted meanwhile', async () => {
    const screen = await openWithHistory()
    await screen.press(',')
    screen.session.pass(3000)
    await screen.refresh()
    expect(screen.lines()[0]).toMatch(/« PAST entry 4, \ds ago, 4 later/)
  })

  test('going back ends at the first fact, and going forward past the last one returns to now', async () => {
    const screen = await openWithHistory()
    for (let count = 0; count < 8; count++) await screen.press(',')
    expect(screen.model().at).toBe(1)
    expect(screen.model().notice?.text).toBe('the first entry')
    for (let count = 0; count < 8; count++) await screen.press('.')
    expect(screen.model().at).toBeUndefined()
  })

  test('with a fact chosen, the first step goes to it; moving in the list then moves the world', async () => {
    const screen = await openWithHistory()
    await screen.press('1', 'g', ',')
    expect(screen.model().at).toBe(1)
    await screen.press('j')
    expect(screen.model().at).toBe(2)
  })
})

describe('the detail of an exchange', () => {
  test('has request and reply side by side on wide screens, stacked on narrow ones', async () => {
    const screen = await driveDashboard({ columns: 120, rows: 40 })
    await screen.press('N', 'd')
    screen.session.pass(1300)
    await screen.refresh()
    await screen.press('2', 'enter')
    expect(screen.line('Request')).toContain('Reply')
    expect(screen.text()).toContain('"eventType": "CONFIRMED"')
    await screen.resize(80, 24)
    expect(screen.line('Request')).not.toContain('Reply')
  })

  test('a failure is shown in place of the reply', async () => {
    const screen = await driveDashboard()
    screen.session.poll(0, 'ECONNREFUSED')
    await screen.refresh()
    expect(screen.line('ECONNREFUSED')).toMatch(/--- x/)
    await screen.press('enter')
    expect(screen.text()).toContain('ECONNREFUSED: the other side is gone')
  })

  test('scrolls, and stops at its ends', async () => {
    const screen = await driveDashboard({ columns: 60, rows: 16 })
    await screen.press('?')
    const first = screen.lines()[3]
    await screen.press('j', 'j')
    expect(screen.lines()[3]).not.toBe(first)
    await screen.press('G')
    expect(screen.text()).toContain('ctrl-z')
    await screen.press('j', 'g')
    expect(screen.lines()[3]).toBe(first)
  })
})

describe('leaving', () => {
  test('q quits at once when nothing is lost', async () => {
    const screen = await driveDashboard()
    await screen.press('q')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('q asks when traffic, actions or held items would be lost, and says which', async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    screen.session.poll()
    await screen.press('N', 'd', '5', 'p', 'q')
    const bottom = screen.lines().slice(-2).join('')
    expect(bottom).toMatch(/Quit\? +y yes +s saves first +esc no/)
    expect(bottom).toContain('1 exchange not recorded, 2 actions not saved, 1 item held')
    // Another q is no answer.
    await screen.press('q', 'q')
    expect(screen.terminalActions).toEqual([])
    expect(screen.model().notice?.text).toBe('q: no answer to this; esc leaves it as it is')
    await screen.press('esc')
    expect(screen.model().prompt).toBeUndefined()
    await screen.press('q', 's')
    expect(screen.model().prompt?.kind).toBe('save')
    await screen.press('esc', 'q', 'y')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('what is recorded and saved is not lost', async () => {
    const ports = { saveScenario: () => Promise.resolve(ok('scenarios/a.yaml')) }
    const recording = { file: 'demo.rec.ndjson', written: 1 }
    const screen = await driveDashboard({ ports, recording })
    screen.session.poll()
    await screen.press('N', 'd')
    expect(losses(screen.model())).toEqual(['1 action not saved'])
    await screen.press('s')
    await screen.type('a')
    await screen.press('enter')
    expect(losses(screen.model())).toEqual([])
    await screen.press('q')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('what is saved before leaving is asked about again, with what would still be lost', async () => {
    let taken = ['scenarios/a.yaml']
    const saveScenario = ({ overwrite }: { readonly overwrite: boolean }) => {
      if (taken.length > 0 && !overwrite)
        return Promise.resolve(err({ kind: 'exists', file: 'scenarios/a.yaml' } as const))
      taken = []
      return Promise.resolve(ok('scenarios/a.yaml'))
    }
    const screen = await driveDashboard({ ports: { saveScenario } })
    screen.session.poll()
    await screen.press('N', 'd', 'q', 's')
    await screen.type('a')
    await screen.press('enter')
    expect(screen.lines().at(-1)).toContain('scenarios/a.yaml is there already.')
    await screen.press('y')
    const bottom = screen.lines().at(-1)
    expect(bottom).toMatch(/Quit\? +y yes +esc no/)
    expect(bottom).toContain('1 exchange not recorded')
    await screen.press('y')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('one q too many after an overlay asks, even if nothing is lost', async () => {
    const screen = await driveDashboard()
    await screen.press('?', 'q')
    expect(screen.model().overlay).toBeUndefined()
    await screen.press('q')
    expect(screen.terminalActions).toEqual([])
    expect(screen.lines().at(-1)).toContain('Quit?')
    await screen.press('esc', 'q')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('an overlay that was opened from another one closes to it', async () => {
    const screen = await driveDashboard()
    await screen.press('f', '?')
    expect(screen.model().overlay?.kind).toBe('help')
    await screen.press('q')
    expect(screen.model().overlay?.kind).toBe('faults')
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
  })

  test('Q quits at once', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', '5', 'p', 'Q')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('ctrl-c quits the second time, if no other key was pressed in between', async () => {
    const screen = await driveDashboard()
    await screen.press('ctrl-c')
    expect(screen.text()).toContain('ctrl-c again quits')
    await screen.press('j', 'ctrl-c')
    expect(screen.terminalActions).toEqual([])
    await screen.press('ctrl-c')
    expect(screen.terminalActions).toEqual([{ kind: 'quit' }])
  })

  test('esc closes one layer at a time, and never quits', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', '/')
    await screen.type('confirm')
    await screen.press('enter', 'o', '?')
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
    await screen.press('esc')
    expect(screen.model().filter.draft).toBe('')
    expect(screen.model().only).toBe(true)
    await screen.press('esc')
    expect(screen.model().only).toBe(false)
    await screen.press('esc', 'esc')
    expect(screen.terminalActions).toEqual([])
  })
})

describe('keys', () => {
  test('one that is bound nowhere is answered', async () => {
    const screen = await driveDashboard()
    await screen.press('X')
    expect(screen.text()).toContain('X: no such key here; ? lists them')
    await screen.press('?', 'X')
    expect(screen.text()).toContain('X: no such key here; ? lists them')
    await screen.press('esc', 'N', 'X')
    expect(screen.model().notice?.text).toContain('X: no answer to this')
  })

  test('s says at once when there is nothing to save', async () => {
    const screen = await driveDashboard()
    await screen.press('s')
    expect(screen.text()).toContain('there is nothing to save: nothing was done by hand yet')
    expect(screen.model().prompt).toBeUndefined()
  })
})

describe('a long message', () => {
  const told = async (columns: number, rows: number, text: string) => {
    const screen = await driveDashboard({ columns, rows })
    await screen.press('!')
    screen.tell(text)
    return screen
  }

  test.each([
    [80, 24],
    [120, 40],
  ])('is wrapped over the panes at %ix%i, and not cut', async (columns, rows) => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
    const screen = await told(columns, rows, words.join(' '))
    const lines = screen.lines()
    expect(lines.length).toBe(rows)
    for (const word of words) expect(screen.text()).toContain(word)
    expect(screen.text()).toContain('? help')
    await screen.press('j')
    expect(screen.text()).not.toContain('word3')
  })
})

describe('the next and previous in a detail', () => {
  test('] and [ open them, whatever is open, and say where the list ends', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', 'N', 't')
    screen.session.pass(1300)
    await screen.refresh()
    await screen.press('3', 'g', 'enter')
    expect(screen.text()).toContain('━ Order 00000002')
    await screen.press(']')
    expect(screen.text()).toContain('━ Order 00000001')
    await screen.press(']')
    expect(screen.text()).toContain('this is the last one')
    await screen.press('[', '[')
    expect(screen.text()).toContain('━ Order 00000002')
    expect(screen.text()).toContain('this is the first one')
    await screen.press('esc', '2', 'enter')
    const last = screen.model().traffic.chosen ?? screen.model().snapshot?.traffic.at(-1)?.seq ?? 0
    expect(screen.text()).toContain(`━ Exchange ${last}`)
    await screen.press('[')
    expect(screen.text()).toContain(`━ Exchange ${last - 1}`)
    await screen.press('esc', '1', 'enter', '[')
    expect(screen.text()).toMatch(/━ Fact \d+/)
    await screen.press('esc', '5', 'g', 'enter')
    const first = screen.line('━ Item #')
    await screen.press(']')
    expect(screen.line('━ Item #')).not.toBe(first)
  })
})

describe('the next failure', () => {
  test('} and { go through the failed exchanges, in the list and in the detail', async () => {
    const screen = await driveDashboard({ columns: 120, rows: 40 })
    for (const status of [200, 503, 200, 404, 200]) screen.session.poll(status)
    await screen.refresh()
    await screen.press('{')
    expect(screen.model().traffic.chosen).toBe(4)
    await screen.press('{')
    expect(screen.model().traffic.chosen).toBe(2)
    await screen.press('{')
    expect(screen.text()).toContain('there is no failure before this')
    await screen.press('enter', '}')
    expect(screen.text()).toContain('━ Exchange 4')
    await screen.press('esc')
    expect(screen.model().traffic.chosen).toBe(4)
  })
})

describe('panes', () => {
  test('digits and tab focus them, and the rule marks the focused one', async () => {
    const screen = await driveDashboard({ columns: 150, rows: 45 })
    await screen.press('5')
    expect(screen.line('5 Agenda')).toContain('━ FUTURE 5 Agenda ━')
    await screen.press('tab')
    expect(screen.line('1 Journal')).toContain('━ PAST 1 Journal ━')
    await screen.press('shift-tab', 'shift-tab')
    expect(screen.line('4 Order')).toContain('━ PRESENT 4 Order')
  })

  test('of panes that share an area the focused one is visible', async () => {
    const screen = await driveDashboard({ columns: 80, rows: 24 })
    expect(screen.text()).toContain('1 Journal [2 Traffic] 3 Orders')
    await screen.press('1')
    expect(screen.text()).toContain('[1 Journal] 2 Traffic 3 Orders')
    await screen.press('5')
    expect(screen.text()).toContain('[1 Journal] 2 Traffic 3 Orders')
  })

  test('the cursor stays on its order when others arrive', async () => {
    const screen = await driveDashboard({ columns: 120, rows: 40 })
    for (let count = 0; count < 30; count++) await screen.session.createOrder({})
    await screen.refresh()
    await screen.press('3', 'g', 'j', 'j', 'j')
    const chosen = screen.model().orderId
    expect(screen.line('>1027')).not.toBe('')
    for (let count = 0; count < 20; count++) await screen.session.createOrder({})
    await screen.refresh()
    expect(screen.model().orderId).toBe(chosen)
    expect(screen.line('>1027')).not.toBe('')
    await screen.press('G')
    expect(screen.line('>1001')).not.toBe('')
    await screen.press('k', 'g')
    expect(screen.line('>1050')).not.toBe('')
  })
})
