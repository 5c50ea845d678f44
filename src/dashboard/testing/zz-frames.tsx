import { createElement } from 'react'
import { renderToString } from 'ink'
import { createFakeFace } from '/work/main/src/dashboard/testing/face.ts'
import { initialModel } from '/work/main/src/dashboard/model.ts'
import { createStore } from '/work/main/src/dashboard/store.ts'
import { lookAt } from '/work/main/src/dashboard/look.ts'
import { respond } from '/work/main/src/dashboard/binding.ts'
import { keys } from '/work/main/src/dashboard/keys.ts'
import { perform } from '/work/main/src/dashboard/perform.ts'
import { Screen } from '/work/main/src/dashboard/dashboard.tsx'
import { appearanceOf } from '/work/main/src/dashboard/appearance.ts'
const [c, r, ...press] = process.argv.slice(2)
const face = createFakeFace({
  subject: true,
  recording: { file: 'recordings/demo.rec.ndjson', written: 12 },
})
for (let i = 0; i < 5; i++) {
  await face.createOrder({ type: (['DELIVERY', 'TAKEOUT', 'INDOOR'] as const)[i % 3]! })
  face.pass(2500)
  face.poll(i === 2 ? 503 : 200)
}
face.poll(0, 'ECONNREFUSED')
const store = createStore(initialModel(Number(c), Number(r)))
const settle = async () => {
  for (let i = 0; i < 3; i++) store.send({ kind: 'seen', seen: await lookAt(face, store.get()) })
}
await settle()
for (const key of press) {
  store.send({ kind: 'pressed', key })
  const { messages = [], action } = respond(keys, store.get(), {
    key,
    ...(key.length === 1 ? { text: key } : key === 'space' ? { text: ' ' } : {}),
  })
  store.send(...messages)
  if (action && action.kind !== 'quit' && action.kind !== 'suspend')
    store.send(...(await perform(face, action)))
  await settle()
}
const color = process.env.SHOWCOLOR
  ? { COLORTERM: 'truecolor' }
  : { NO_COLOR: '1', TERM: 'dumb', LANG: 'C.UTF-8' }
console.log(
  renderToString(
    createElement(Screen, {
      model: store.get(),
      appearance: appearanceOf(color as never, { glyphs: 'unicode' }),
    }),
    { columns: Number(c) },
  )
    .split('\n')
    .map((l) => l + '|')
    .join('\n'),
)
