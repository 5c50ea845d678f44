/** Keys that change what a replay plays: edit, undo, send alone, go on from there. */
import { expect, test } from 'vitest'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { openPlayer, recordingContentOf } from '../../../test/support/dashboard/recording.ts'
import { ok } from '../../core/protocol/result.ts'
import { timelineOfContent } from '../../replay/playback/player/timeline.ts'
import type { DashboardPorts } from './effects/ports.ts'

const timeline = timelineOfContent(recordingContentOf(40))
const target = 'http://127.0.0.1:3000'

/** An editor that makes these changes one after the other, and keeps what it was given. */
function editor(...changes: readonly ((text: string) => string)[]) {
  const opened: string[] = []
  const ports: DashboardPorts = {
    editText(text, name) {
      opened.push(`${name}\n${text}`)
      return Promise.resolve(ok(changes[opened.length - 1]?.(text) ?? text))
    },
  }
  return { ports, opened }
}

const toPut = (text: string): string => text.replace('"GET"', '"PUT"')

test('e opens the request, and the exchange is marked; z and Z take the edit back and make it again', async () => {
  await using opened = await openPlayer(timeline, target)
  const { ports, opened: texts } = editor(toPut)
  const screen = await driveDashboardOn(opened.face, { ports, columns: 120, rows: 40 })
  await screen.press('j', 'e')
  expect(texts[0]).toMatch(/^2-request\.json\n\{\n {2}"method": "GET",\n {2}"path": "\/v2\/orders/)
  expect(screen.text()).toContain('edited: method GET, now PUT; R sends it alone')
  expect(screen.line('#2 ')).toContain('edited getOrder')
  await screen.press('enter')
  expect(screen.text()).toContain('edited: method GET, now PUT')
  expect(screen.text()).toContain('PUT http://127.0.0.1:7101/v2/orders/order-2')
  await screen.press('z')
  expect(screen.text()).toContain('the edit of #2 is undone; what was sent stays')
  await screen.press('esc')
  expect(screen.line('#2 ')).not.toContain('edited')
  await screen.press('Z')
  expect(screen.line('#2 ')).toContain('edited getOrder')
})

test('bad input is told with its place and opened again as it was typed', async () => {
  await using opened = await openPlayer(timeline, target)
  const { ports, opened: texts } = editor(
    (text) => text.replace('"GET",', '"GET"'),
    (text) => text.replace('"GET"', '"get",'),
    toPut,
  )
  const screen = await driveDashboardOn(opened.face, { ports, columns: 140 })
  await screen.press('e')
  expect(screen.lines().at(-1)).toContain('line 3, column 3: a comma or } is missing')
  await screen.press('e')
  expect(texts[1]).toContain('"GET"\n')
  expect(screen.lines().at(-1)).toContain('"get" is no method, such as PUT')
  await screen.press('esc')
  expect(screen.line('#1 ')).not.toContain('edited')
})

test('unchanged it is told; without a target the reason is', async () => {
  await using opened = await openPlayer(timeline, target)
  const same = await driveDashboardOn(opened.face, { ports: editor().ports })
  await same.press('e')
  expect(same.text()).toContain('nothing was changed')
  await using browsed = await openPlayer(timeline)
  const screen = await driveDashboardOn(browsed.face, { ports: editor().ports })
  for (const key of ['e', 'R', 'C']) {
    await screen.press(key)
    expect(screen.text()).toContain('nothing is sent without a target')
  }
})

test('R sends the chosen exchange alone, C goes on from it', async () => {
  await using opened = await openPlayer(timeline, target)
  const screen = await driveDashboardOn(opened.face)
  await screen.press('j', 'j', 'R')
  expect(screen.text()).toContain('#3 goes out alone')
  await screen.press('j', 'C')
  expect(screen.text()).toContain('#4 is next, 3 left out: n sends it, space plays on')
  expect(opened.played).toEqual(['alone 2', 'skip to 3'])
})

test('without an edit of an exchange z undoes what was done to the agenda', async () => {
  await using opened = await openPlayer(timeline, target)
  const screen = await driveDashboardOn(opened.face)
  await screen.press('z')
  expect(screen.text()).toMatch(/nothing .*undo/i)
})
