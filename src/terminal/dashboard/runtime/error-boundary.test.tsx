import { renderToString } from 'ink'
import { expect, test } from 'vitest'
import { Screen } from '../view/dashboard.tsx'
import { panesById } from '../view/panes/catalogue.ts'
import { driveDashboard, plainAppearance } from '../../../../test/support/dashboard/drive.ts'

test('an error in one pane is shown in that pane only', async () => {
  const screen = await driveDashboard({ columns: 150, rows: 45 })
  await screen.press('N', 'd')
  const text = renderToString(
    <Screen
      model={screen.model()}
      appearance={plainAppearance}
      paneRows={(id, model, rect, glyphs) => {
        if (id === 'agenda') throw new Error('the due time is missing')
        return panesById[id].rows({ model, rect, glyphs })
      }}
    />,
    { columns: 150 },
  )
  expect(text).toContain('! agenda cannot be shown: the due t')
  expect(text).toContain('PRESENT 3 Orders')
  expect(text).toContain('● LIVE')
  expect(text.split('\n').length).toBe(45)
})
