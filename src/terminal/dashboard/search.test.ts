/** Plain text search with / in every list, on a real session. */
import { describe, expect, test, onTestFinished } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openSession } from '../../core/session/open-session.ts'

async function openThree(columns = 150, rows = 45) {
  const session = await openSession({
    clock: 'stepped',
    listen: false,
    seed: 7,
    capabilities: ordersOnly,
  })
  onTestFinished(() => session.close())
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) await session.createOrder({ type })
  for (let steps = 0; steps < 30; steps++) await session.step()
  const screen = await driveDashboardOn(session, { columns, rows })
  const search = async (pane: string, text: string): Promise<void> => {
    await screen.press(pane, '/')
    await screen.type(text)
    await screen.press('enter')
  }
  return { screen, search, session }
}

describe('search in a pane', () => {
  test.each([
    [80, 24],
    [150, 45],
  ])('shows the rows with all words, and counts them, at %ix%i', async (columns, rows) => {
    const { screen, search } = await openThree(columns, rows)
    await search('3', 'takeout')
    expect(screen.line('3 Orders')).toContain('/takeout (1 found)')
    expect(screen.model().snapshot?.orders.map(({ profile }) => profile)).toEqual(['TAKEOUT'])
    expect(screen.model().orderId).toBe(screen.model().snapshot?.orders[0]?.orderId)
    await search('1', 'order.created operator')
    const facts = screen.model().snapshot?.journal ?? []
    expect(facts.map(({ kind }) => kind)).toEqual([
      'order.created',
      'order.created',
      'order.created',
    ])
    expect(screen.line('1 Journal')).toContain('(3 found)')
    await search('5', '#')
    const all = screen.model().snapshot?.agenda.length ?? 0
    expect(screen.line('5 Agenda')).toContain(`(${all} found)`)
    const [first] = screen.model().snapshot?.agenda ?? []
    await search('5', `${first?.id} ${first?.kind}`)
    expect(screen.model().snapshot?.agenda.every(({ kind }) => kind === first?.kind)).toBe(true)
    for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(columns)
  })

  test('esc brings back what was searched for before; the next esc shows all', async () => {
    const { screen, search } = await openThree()
    await search('3', 'takeout')
    await screen.press('/', 'ctrl-u')
    await screen.type('indoor')
    expect(screen.model().snapshot?.orders.map(({ profile }) => profile)).toEqual(['INDOOR'])
    await screen.press('esc')
    expect(screen.model().snapshot?.orders.map(({ profile }) => profile)).toEqual(['TAKEOUT'])
    await screen.press('esc')
    expect(screen.model().snapshot?.orders).toHaveLength(3)
    expect(screen.line('3 Orders')).not.toContain('/')
  })

  test('without a match the pane says so, and the cursor reaches no row that is hidden', async () => {
    const { screen, search } = await openThree()
    await search('1', 'nowhere')
    expect(screen.line('1 Journal')).toContain('(0 found)')
    expect(screen.text()).toContain('Nothing has these words.')
    await search('3', 'indoor')
    await screen.press('j', 'j', 'g')
    expect(screen.model().snapshot?.order?.row.profile).toBe('INDOOR')
  })

  test('a new fact that fits is found; one that does not fit is not', async () => {
    const { screen, search, session } = await openThree()
    await search('1', 'order.created')
    await session.createOrder({ type: 'TAKEOUT' })
    await session.step()
    await screen.refresh()
    expect(screen.line('1 Journal')).toContain('(4 found)')
    await screen.press(',', ',')
    expect(screen.model().at).toBe(screen.model().snapshot?.journal[2]?.seq)
  })

  test('other entities are searched as well, and another view shows all again', async () => {
    const session = await openSession({ clock: 'stepped', listen: false, seed: 7 })
    onTestFinished(() => session.close())
    for (const type of ['DELIVERY', 'TAKEOUT'] as const) await session.createOrder({ type })
    await session.advance(120_000)
    const screen = await driveDashboardOn(session, { columns: 150, rows: 45 })
    await screen.press('3', 'l', 'l', 'l')
    const [customer] = screen.model().snapshot?.entities ?? []
    const total = screen.model().snapshot?.entityCount ?? 0
    expect(total).toBeGreaterThan(1)
    await screen.press('/')
    await screen.type(customer?.id ?? 'none')
    expect(screen.model().snapshot?.entityCount).toBe(1)
    expect(screen.line('3 Customers')).toContain('(1 found)')
    await screen.press('enter', 'h', 'l')
    expect(screen.model().snapshot?.entityCount).toBe(total)
  })
})

describe('search in an overlay', () => {
  test('of the keys shows those that fit, with their number', async () => {
    const { screen } = await openThree()
    await screen.press('?', '/')
    await screen.type('redo')
    expect(screen.line('━ Keys')).toContain('/redo (1 found)')
    expect(screen.text()).toContain('redo what was undone')
    expect(screen.text()).not.toContain('next pane')
    await screen.press('enter', 'esc')
    expect(screen.text()).toContain('next pane')
    expect(screen.model().overlay?.kind).toBe('help')
    await screen.press('esc')
    expect(screen.model().overlay).toBeUndefined()
  })

  test('of the faults chooses the first that fits, and enter takes it', async () => {
    const { screen } = await openThree()
    await screen.press('f', '/')
    await screen.type('twice')
    await screen.press('enter')
    expect(screen.line('>')).toContain('duplicate')
    await screen.press('enter')
    expect(screen.model().prompt).toMatchObject({ form: { name: 'duplicate' } })
  })

  test('of a detail shows the lines that fit, and says so when none does', async () => {
    const { screen } = await openThree()
    await screen.press('3', 'enter', '/')
    await screen.type('displayid')
    expect(screen.line('━ Order')).toContain('(1 found)')
    expect(screen.text()).toContain('"displayId"')
    expect(screen.text()).not.toContain('"merchant"')
    await screen.press('ctrl-u')
    await screen.type('nowhere')
    expect(screen.text()).toContain('Nothing has these words.')
  })
})
