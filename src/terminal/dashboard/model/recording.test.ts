// @module-tag slow
/** A recording on the dashboard: key presses and the resulting screen. */
import { describe, expect, test, vi } from 'vitest'
import { ok } from '../../../core/protocol/result.ts'
import { timelineOfContent } from '../../../replay/playback/player/timeline.ts'
import type { DashboardPorts } from '../effects/ports.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import { timelineRow } from '../view/timeline.ts'
import { recordingContentOf, openPlayer } from '../../../../test/support/dashboard/recording.ts'
import { driveDashboardOn } from '../../../../test/support/dashboard/drive.ts'
import { cellWidth } from '../view/text/cells.ts'
import { glyphSets } from '../view/text/glyphs.ts'
import { plainText } from '../view/text/row.ts'

const content = recordingContentOf(40)
const timeline = timelineOfContent(content)

/** Result of one exchange: another status, and another name that a rule accepts. */
function changedAt(place: number): ReplayedExchange {
  const recorded = content.exchanges[place]
  if (!recorded?.reply) throw new Error(`there is no answer at ${place}`)
  const renamed = { ...recorded, reply: { ...recorded.reply, status: 500 } }
  const rule = {
    at: '$',
    compare: { as: 'equal' },
    from: 'default',
    reason: 'nothing says that it may differ',
  } as const
  const noise = {
    at: '$.body.customer.name',
    compare: { as: 'opaque' },
    from: 'protocol',
    reason: 'Names are made up.',
  } as const
  return {
    standing: 'changed',
    recorded,
    live: renamed,
    renamed,
    differences: [
      {
        side: 'reply',
        where: '/body/customer/name',
        kind: 'value',
        recorded: 'Ana',
        live: 'Bia',
        rule: noise,
        accepted: true,
      },
      {
        side: 'reply',
        where: '/status',
        kind: 'value',
        recorded: 200,
        live: 500,
        rule,
        accepted: false,
      },
    ],
  }
}

describe('without a target', () => {
  test('opens before the first exchange, with past, present and future from the recording', async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face, { columns: 180, rows: 40 })
    expect(screen.lines()[0]).toMatch(/○ BROWSE +lunch\.rec\.ndjson +no target: nothing is sent/)
    expect(screen.lines()[1]).toMatch(/^ 0\/40 ●─+/)
    expect(screen.line('PAST 2 Recording')).toContain('1 of 40')
    expect(screen.line('▸')).toContain('#1')
    expect(screen.line('PRESENT 3 Orders')).toContain('1 so far')
    expect(screen.line('FUTURE 5 Agenda')).toContain('40 pending')
    await screen.press('.', '.', '.')
    expect(screen.lines()[1]).toMatch(/^ 3\/40/)
    expect(screen.line('▸')).toContain('#4')
    expect(screen.line('PRESENT 3 Orders')).toContain('4 so far')
    expect(screen.line('FUTURE 5 Agenda')).toContain('37 pending')
    await screen.press(',')
    expect(screen.line('▸')).toContain('#3')
    await screen.press(',', ',', ',')
    expect(screen.text()).toContain('the start of the recording')
  })

  test.each(['space', 'n', 'N', '+'])('%s reports that nothing is sent', async (key) => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face)
    await screen.press(key)
    expect(screen.text()).toContain(
      'nothing is sent without a target: open it with --to <url of your service>',
    )
  })

  test('enter opens the recorded exchange; ] and [ open the adjacent ones, esc closes it', async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face)
    await screen.press('j', 'enter')
    expect(screen.line('#2 getOrder')).toContain('━')
    expect(screen.text()).toContain('this is what was recorded')
    expect(screen.text()).toContain('/v2/orders/order-2')
    await screen.press(']')
    expect(screen.line('#3 getOrder')).toContain('━')
    await screen.press('i')
    expect(screen.text()).toContain('there is no difference to accept')
    await screen.press('esc')
    expect(screen.text()).toContain('Recording')
  })

  test('pane 4 shows the lane of the selected order, with a column per role', async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face, { columns: 180, rows: 40 })
    await screen.press(':')
    await screen.type('39')
    await screen.press('enter')
    expect(screen.lines()[1]).toMatch(/^ 38\/40/)
    await screen.press('2', 'k')
    expect(screen.text()).toMatch(/OA +SS/)
    expect(screen.text()).toMatch(/\|<-- \*/)
  })
})

describe('seeking, bookmarks and filter', () => {
  test(': seeks to a number and validates its input while it is typed', async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face)
    await screen.press(':')
    await screen.type('12x')
    expect(screen.text()).toContain('a number, +90s, 12:03:10')
    await screen.press('backspace', 'enter')
    expect(screen.lines()[1]).toMatch(/^ 11\/40/)
    expect(screen.line('▸')).toContain('#12')
    await screen.press(':')
    await screen.type('99')
    await screen.press('enter')
    expect(screen.text()).toContain('there is no exchange 99: the last is 40')
  })

  test("m sets a bookmark, ' finds it, and the timeline and the list show it", async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face)
    await screen.press('j', 'j', 'm')
    expect(screen.text()).toContain('bookmarked')
    expect(screen.line('#3 ')).toMatch(/>.?\*/)
    await screen.press('g')
    expect(screen.lines()[1]).toContain('*')
    await screen.press("'")
    expect(screen.model().recording.at).toBe(2)
    await screen.press("'")
    expect(screen.text()).toContain('there is no bookmark after this')
    await screen.press('m')
    expect(screen.text()).toContain('the bookmark is gone')
    expect(opened.files.kept.marks).toEqual([])
  })

  test('a filter shows and counts matching exchanges, and keeps the old rows while it is invalid', async () => {
    await using opened = await openPlayer(timeline)
    const screen = await driveDashboardOn(opened.face)
    await screen.press('/')
    await screen.type('status>=400')
    await expect.poll(async () => (await screen.refresh(), screen.text())).toContain('(5 fit)')
    await screen.press('enter', 'G')
    const texts = (): readonly string[] =>
      (screen.model().snapshot?.playback?.rows ?? []).map(({ text }) => text)
    expect(texts()).toEqual(Array(5).fill('confirmOrder'))
    expect(screen.model().recording.at).toBe(39)
    await screen.press('/', 'x')
    expect(screen.lines().at(-1)).toContain('needs a number')
    expect(texts()).toEqual(Array(5).fill('confirmOrder'))
    await screen.press('esc', 'esc')
    expect(texts()).toContain('getOrder')
  })
})

describe('results of playback', () => {
  async function played() {
    const opened = await openPlayer(timeline, 'http://127.0.0.1:3000')
    for (const place of [11, 20]) opened.player.ports.onReplayed(changedAt(place), place)
    const screen = await driveDashboardOn(opened.face, { columns: 140, rows: 40 })
    return { opened, screen }
  }

  test('} finds the next divergence; the header counts them, the timeline marks them', async () => {
    const { opened, screen } = await played()
    await using _opened = opened
    expect(screen.lines()[0]).toMatch(/PAUSED.*2 changed.*to http:\/\/127\.0\.0\.1:3000/)
    expect(screen.lines()[1]).toMatch(/!.*!.*first ✗ 12/)
    await screen.press('}')
    expect(screen.model().recording.chosen).toBe(11)
    await screen.press('}')
    expect(screen.model().recording.chosen).toBe(20)
    await screen.press('}')
    expect(screen.text()).toContain('there is no divergence after this')
    await screen.press('{')
    expect(screen.model().recording.chosen).toBe(11)
    expect(screen.line('#12 ')).toContain('!')
  })

  test('the compare view shows unaccepted differences first; accepted ones are dim, with rule and reason', async () => {
    const { opened, screen } = await played()
    await using _opened = opened
    await screen.press('}', 'enter')
    const text = screen.text()
    expect(text).toContain('1 differ, 1 accepted by a rule')
    expect(text.indexOf('reply /status')).toBeLessThan(text.indexOf('reply /body/customer/name'))
    expect(screen.line('    200 ')).toMatch(/200 +\| 500/)
    expect(text).toContain('protocol rule, opaque: Names are made up.')
    expect(screen.line('Recorded')).toContain('| Now')
    expect(screen.line('answer 200')).toContain('| answer 500')
  })

  test('i accepts the chosen difference by a comparator, and all results are compared again', async () => {
    const { opened, screen } = await played()
    await using _opened = opened
    await screen.press('}', 'enter', 'i')
    expect(screen.lines().at(-1)).toContain('Accept it as:')
    expect(screen.lines().at(-1)).toContain('s shape')
    await screen.press('esc')
    expect(opened.files.kept.rules).toEqual([])
    await screen.press('i', 's')
    expect(opened.files.kept.rules).toMatchObject([
      { at: '$.status', side: 'reply', operation: 'getOrder', compare: { as: 'shape' } },
    ])
    expect(screen.text()).toContain('accepted from now on: lunch.rules.json')
    // One of the two is a confirmation, another operation: the rule does not apply to it.
    expect(screen.lines()[0]).toMatch(/noise/)
    await screen.press('i')
    expect(screen.text()).toContain('a rule accepts it already')
  })
})

describe('export and minimise', () => {
  test('E prompts for a file name and exports; errors are reported', async () => {
    await using opened = await openPlayer(timeline)
    const asked: string[] = []
    const ports = {
      exportRecording: (file: string) => {
        asked.push(file)
        return Promise.resolve(ok(`${file}  40 exchanges as curl`))
      },
    }
    const screen = await driveDashboardOn(opened.face, { ports })
    await screen.press('E')
    expect(screen.lines().at(-1)).toContain('export to lunch.har_')
    await screen.press('ctrl-u')
    await screen.press('enter')
    expect(screen.text()).toContain('type a name first')
    await screen.type('a b.sh')
    await screen.press('enter')
    expect(asked).toEqual(['a b.sh'])
    expect(screen.text()).toContain('written: a b.sh  40 exchanges as curl')
  })

  test('M reports progress while it runs', async () => {
    const far = Promise.withResolvers<undefined>()
    const ports: DashboardPorts = {
      async minimise(onNews) {
        onNews('minimising: replay 7 of at most 100, of 12 exchanges')
        await far.promise
        return ok(['It takes three of them.'])
      },
    }
    await using opened = await openPlayer(timeline, 'http://127.0.0.1:3000')
    const screen = await driveDashboardOn(opened.face, { ports })
    const pressed = screen.press('M')
    await vi.waitFor(() => expect(screen.text()).toContain('replay 7 of at most 100'))
    far.resolve(undefined)
    await pressed
    expect(screen.text()).toContain('It takes three of them.')
  })

  test('M shows the minimised recording; without a target it reports why it is disabled', async () => {
    const lines = ['It takes three of them.', 'lunch.min.rec.ndjson']
    const ports = { minimise: () => Promise.resolve(ok(lines)) }
    await using still = await openPlayer(timeline)
    const quiet = await driveDashboardOn(still.face, { ports })
    await quiet.press('M')
    expect(quiet.text()).toContain('minimising needs a target')
    await using opened = await openPlayer(timeline, 'http://127.0.0.1:3000')
    const screen = await driveDashboardOn(opened.face, { ports })
    await screen.press('M')
    expect(screen.line('Minimised')).toContain('━')
    for (const line of lines) expect(screen.text()).toContain(line)
    await screen.press('esc')
    expect(screen.text()).not.toContain('Minimised')
  })
})

describe('the frame', () => {
  test.each([
    [60, 16],
    [80, 24],
    [120, 40],
    [150, 45],
    [200, 60],
    [40, 10],
    [20, 4],
  ])('fills %i x %i cells exactly', async (columns, rows) => {
    await using opened = await openPlayer(timeline, 'http://127.0.0.1:3000')
    opened.player.ports.onReplayed(changedAt(2), 2)
    const screen = await driveDashboardOn(opened.face, { columns, rows })
    const fits = (): void => {
      expect(screen.lines().length).toBe(rows)
      for (const line of screen.lines()) expect(cellWidth(line)).toBeLessThanOrEqual(columns)
    }
    fits()
    for (const key of ['j', '}', 'enter', 'i', 'esc', ']', 'G', 'esc', '.', ':', 'esc']) {
      await screen.press(key)
      fits()
    }
  })

  test('the timeline draws every sign at its cell', async () => {
    await using opened = await openPlayer(timeline)
    await opened.face.playback?.bookmark(30)
    const { playback } = await opened.face.look({ playback: { at: 20 } })
    if (!playback) throw new Error('there is no recording')
    const text = plainText(
      timelineRow({ ...playback, trouble: [5], first: 5 }, 72, glyphSets.ascii),
    )
    expect(text).toMatch(/^ 20\/40 =+!=+\*-+\*-+ [\d:.]+ {2}first x 6 $/)
    expect(text.length).toBe(72)
  })
})
