/** Bundles: the same files give the same bytes, and a single changed byte shows. */
import { expect, test } from 'vitest'
import { packBundle, unpackBundle } from './pack-bundle.ts'

const content = new Map([
  ['report.json', Buffer.from('{"ok":true}\n')],
  ['trace.json', Buffer.from('{}\n')],
])
const head = { version: '1.2.3', role: 'crm', startedAt: 1_767_625_200_123 } as const

test('the same files give the same bytes, whatever their order', async () => {
  const one = await packBundle(content, head)
  const other = await packBundle(new Map([...content].toReversed()), head)
  expect(Buffer.compare(Buffer.from(one), Buffer.from(other))).toBe(0)
  expect(await unpackBundle(one)).toMatchObject({
    ok: true,
    value: { manifest: { role: 'crm', product: { version: '1.2.3' } } },
  })
})

test('a bundle with any byte changed does not unpack', async () => {
  const whole = await packBundle(content, head)
  const accepted: number[] = []
  for (let at = 0; at < whole.length; at++) {
    const changed = Uint8Array.from(whole)
    changed[at] = (changed[at] ?? 0) ^ 1
    if ((await unpackBundle(changed)).ok) accepted.push(at)
  }
  expect(whole.length).toBeGreaterThan(3000)
  expect(accepted).toEqual([])
})

test.each([
  ['nothing', new Uint8Array(), /no whole tar archive/],
  ['text', Buffer.from('not a tar'), /no whole tar archive/],
  ['half', async () => (await packBundle(content, head)).subarray(0, 1500), /tar archive|changed/],
] as const)('%s is told', async (_, bytes, why) => {
  const result = await unpackBundle(typeof bytes === 'function' ? await bytes() : bytes)
  expect(result).toEqual({ ok: false, error: expect.stringMatching(why) })
})
