// @module-tag slow
/**
 * The form of a fault by keys, on a real session: fields, completion, wrong values, the line, and what is chosen below.
 */
import { expect, test, onTestFinished } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openSession } from '../../core/session/open-session.ts'

async function openForm(columns: number, rows: number) {
  const session = await openSession({
    clock: 'stepped',
    seed: 7,
    listen: false,
    capabilities: ordersOnly,
  })
  onTestFinished(() => session.close())
  for (const type of ['DELIVERY', 'TAKEOUT'] as const) await session.createOrder({ type })
  const screen = await driveDashboardOn(session, { columns, rows })
  /** Moves to a row of the form. */
  const go = async (field: string): Promise<void> => {
    for (let moves = 0; moves < 30 && !screen.text().includes(`\n>${field} `); moves++)
      await screen.press('tab')
    expect(screen.text()).toContain(`\n>${field} `)
  }
  const spec = (): string => screen.lines().at(-1) ?? ''
  const faults = (): readonly string[] =>
    (screen.model().snapshot?.faults ?? []).map(({ text }) => text)
  return { screen, go, spec, faults, session }
}

test.each([
  [80, 24],
  [120, 40],
])('at %ix%i a fault is chosen, filled in and added', async (columns, rows) => {
  const { screen, go, spec, faults } = await openForm(columns, rows)
  await screen.press('f', '/')
  await screen.type('twice')
  await screen.press('enter', 'enter')
  expect(screen.text()).toContain('Add a fault')
  expect(screen.text().replaceAll(/\s+/g, ' ')).toContain(
    'how often it arrives in all (a whole number from 2 to 10; default 2)',
  )

  // Another one by a few letters, and the first row is left with it.
  await screen.press('home', 'ctrl-u')
  await screen.type('dtdel')
  expect(screen.text()).toMatch(/^ >drop-then-deliver/m)
  await screen.press('enter')
  expect(spec()).toMatch(/^ drop-then-deliver /)

  // Completion: letters narrow it, arrows choose, enter takes it, | begins another value.
  await go('event')
  await screen.type('rfp')
  expect(screen.text()).toMatch(/^ >READY_FOR_PICKUP/m)
  await screen.press('enter')
  await go('event')
  await screen.type('|conc')
  await screen.press('enter')
  expect(spec()).toContain('drop-then-deliver:event=READY_FOR_PICKUP|CONCLUDED')
  await go('order')
  await screen.type('takeout')
  await screen.press('enter')
  expect(spec()).toContain(',order=o2')
  await go('channel')
  await screen.press('right', 'right')
  expect(screen.text()).toContain(' >webhook')
  await screen.press('left', 'enter')
  expect(spec()).toContain(',channel=polling')

  // What is wrong stands at its row, and nothing is sent.
  await go('nth')
  await screen.type('0')
  expect(screen.text()).toContain('"0" is not a whole number from 1')
  await screen.press('end', 'enter')
  expect(screen.text()).toContain('\n>nth ')
  expect(faults()).toEqual([])
  await screen.press('backspace')
  await screen.type('1')

  // As a line and back, with everything that was typed.
  await screen.press('ctrl-e')
  await screen.type(',limit=3')
  await screen.press('ctrl-e')
  await go('limit')
  for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(columns)
  expect(screen.lines().slice(2).join('\n')).not.toMatch(/~|sparring /)
  await screen.press('end', 'enter')
  const added =
    'drop-then-deliver:event=READY_FOR_PICKUP|CONCLUDED,order=o2,channel=polling,nth=1,limit=3'
  expect(faults()).toEqual([added])

  // It opens filled in, and the changed one takes its place; esc leaves everything as it is.
  await screen.press('esc', 'g', 'enter')
  expect(screen.text()).toContain('Change fault 1')
  await go('nth')
  await screen.press('backspace', 'esc', 'enter')
  await go('limit')
  await screen.press('ctrl-u', 'ctrl-s')
  expect(faults().filter((text) => text === added.replace(',limit=3', ''))).toHaveLength(1)
  expect(screen.model().overlay?.kind).toBe('faults')
})

test('the row that is chosen below is in the form, where the fault can act on it', async () => {
  const { screen, spec, session } = await openForm(120, 40)
  await screen.press('3', 'g', 'j', ':')
  await screen.type('fault add drop an event never')
  await screen.press('enter')
  expect(spec()).toMatch(/^ drop:order=o1 /)
  await screen.press('esc')
  expect(screen.model().overlay).toBeUndefined()

  // An exchange says its operation to a fault of messages; a fault of events takes the order alone.
  for (let steps = 0; steps < 40 && !screen.text().includes('/confirm'); steps++) {
    await session.step()
    await screen.refresh()
  }
  await screen.press('2', 'k', '/')
  await screen.type('confirm')
  await screen.press('enter', 'k', ':')
  await screen.type('add slow-response')
  await screen.press('enter')
  expect(spec()).toMatch(/^ slow-response:operation=confirmOrder,order=o\d /)
  await screen.press('home', 'ctrl-u')
  await screen.type('drop')
  expect(screen.text()).toMatch(/^>fault +drop_/m)
})

test('a refusal of the session comes back as the line that was sent', async () => {
  const { screen, session } = await openForm(120, 40)
  await screen.press('f', '/')
  await screen.type('never delivered')
  await screen.press('enter', 'enter')
  const submit = session.submit.bind(session)
  Object.assign(session, {
    submit: () => Promise.resolve({ ok: false, error: { code: 'CONFLICT', message: 'not now' } }),
  })
  await screen.press('ctrl-s')
  Object.assign(session, { submit })
  expect(screen.lines().at(-1)).toMatch(/^ fault drop_ +not now/)
  await screen.press('ctrl-e')
  expect(screen.text()).toMatch(/^ fault +drop /m)
})
