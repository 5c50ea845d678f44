import { renderToString } from 'ink'
import { expect, test } from 'vitest'
import { Screen } from '../view/dashboard.tsx'
import { panes } from '../view/panes/catalogue.ts'
import { drive, plainLook } from '../../../test/support/dashboard/drive.ts'

test('an error in one pane is shown in that pane only', async () => {
  const screen = await drive({ columns: 150, rows: 45 })
  await screen.press('N', 'd')
  const text = renderToString(
    <Screen
      model={screen.model()}
      appearance={plainLook}
      paneRows={(id, model, rect, { glyphs }) => {
        if (id === 'agenda') throw new Error('the due time is missing')
        return panes[id].rows({ model, rect, glyphs })
      }}
    />,
    { columns: 150 },
  )
  expect(text).toContain('! agenda cannot be shown: the due t')
  expect(text).toContain('PRESENT 3 Orders')
  expect(text).toContain('● LIVE')
  expect(text.split('\n').length).toBe(45)
})
