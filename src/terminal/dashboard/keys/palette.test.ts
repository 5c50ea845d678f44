/** The palette on a fake session: every action by name, with its key, and why it cannot be done. */
import { describe, expect, test } from 'vitest'
import { keyBindings } from './catalogue.ts'
import { paletteEntries } from './palette.ts'
import { driveDashboard } from '../../../../test/support/dashboard/drive.ts'
import { promptContexts } from './binding.ts'

describe('the palette', () => {
  test('has every key of the catalogue but the answers to questions, and no action twice', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd')
    const ids = paletteEntries(keyBindings, screen.model()).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const actions = keyBindings.filter(
      ({ id, contexts }) =>
        id !== 'palette.open' && !contexts.every((context) => promptContexts.includes(context)),
    )
    expect(actions.length).toBeGreaterThan(60)
    for (const { id } of actions) expect(ids.some((each) => each.startsWith(`${id} `))).toBe(true)
  })

  test.each([
    [80, 24],
    [120, 40],
  ])(
    'finds an action by its words at %ix%i, shows its key, and enter does it',
    async (columns, rows) => {
      const screen = await driveDashboard({ columns, rows })
      await screen.press(':')
      expect(screen.line('━ Actions')).not.toBe('')
      await screen.type('new order tak')
      expect(screen.lines().at(-1)).toContain(': new order tak_')
      expect(screen.line('>N t')).toContain('new order: takeout')
      await screen.press('enter')
      expect(screen.text()).toContain('1001 TAKEOUT')
      expect(screen.model().overlay).toBeUndefined()
      expect(screen.model().prompt).toBeUndefined()
    },
  )

  test('down and up choose, and esc does nothing', async () => {
    const screen = await driveDashboard()
    await screen.press(':')
    await screen.type('set speed')
    const first = screen.line('>')
    await screen.press('down')
    expect(screen.line('>')).not.toBe(first)
    await screen.press('up')
    expect(screen.line('>')).toBe(first)
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
    expect(screen.model().snapshot?.info.clock.speed).toBe(1)
  })

  test('sets the speed, moves the chosen order, forces it, and shows another view', async () => {
    const screen = await driveDashboard()
    const run = async (text: string): Promise<void> => {
      await screen.press(':')
      await screen.type(text)
      await screen.press('enter')
    }
    await run('speed x8')
    expect(screen.model().snapshot?.info.clock.speed).toBe(8)
    await screen.press('N', 't')
    await run('transition confirm')
    expect(screen.text()).toContain('● CONFIRMED')
    await run('force delivered')
    expect(screen.session.submitted.at(-1)).toMatchObject({ trigger: 'delivered', force: true })
    await run('view deliveries')
    expect(screen.model().tab).toBe('delivery')
    await run('filter server')
    expect(screen.model().filter.draft).toBe('status>=500')
  })

  test('an action of another pane goes there; one that needs something says what', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd', '2', ':')
    await screen.type('drop it')
    await screen.press('enter')
    expect(screen.text()).toContain('dropped #1')
    expect(screen.line('5 Agenda')).toContain('━ FUTURE')
    await screen.press(':')
    await screen.type('minimise')
    expect(screen.line('>M')).toContain('only in a recording')
    await screen.press('enter')
    expect(screen.model().notice?.text).toContain('only in a recording')
    expect(screen.model().prompt?.kind).toBe('palette')
  })

  test('works above an overlay, and closes back to it', async () => {
    const screen = await driveDashboard()
    await screen.press('f', ':')
    await screen.type('next failure')
    await screen.press('esc')
    expect(screen.model().overlay?.kind).toBe('faults')
    await screen.press(':')
    await screen.type('new order: indoor')
    await screen.press('enter')
    expect(screen.model().snapshot?.orders).toHaveLength(1)
  })

  test('goes to an exchange or a fact by its number, and says where they end', async () => {
    const screen = await driveDashboard()
    await screen.press('N', 'd')
    for (let count = 0; count < 30; count++) screen.session.poll()
    await screen.refresh()
    await screen.press(':')
    await screen.type('#7')
    await screen.press('enter')
    expect(screen.model().traffic.chosen).toBe(7)
    await screen.press(':')
    await screen.type('1')
    await screen.press('down', 'enter')
    expect(screen.lines()[0]).toContain('PAST entry 1')
    await screen.press('L', ':')
    await screen.type('999')
    expect(screen.line('go to exchange #999')).toContain('the last exchange is 30')
    await screen.press('ctrl-u')
    await screen.type('12:03')
    expect(screen.line('go to 12:03')).toContain('times are for recordings')
    await screen.press('ctrl-u')
    await screen.type('qqqq')
    expect(screen.text()).toContain('no action is called so')
  })

  test('has the last messages in full', async () => {
    const screen = await driveDashboard()
    await screen.press('X', 'n')
    await screen.press(':')
    await screen.type('messages')
    await screen.press('enter')
    expect(screen.text()).toMatch(
      /Messages, newest first[^]*nothing is pending[^]*X: no such key here/,
    )
  })
})
