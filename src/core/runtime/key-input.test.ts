/** The keys of a terminal with a mouse, as they are delivered to a reader that waits for more after an escape. */
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKeyInput } from './terminal.ts'

const escape = '\u{1b}'
const escapeKey = `${escape}[27u`
const wheel = `${escape}[<64;101;31M`

function opened() {
  const stdin = new PassThrough({ encoding: 'utf8' })
  const { input, onMouse, close } = createKeyInput(stdin as unknown as NodeJS.ReadStream)
  const keys: string[] = []
  let reports = 0
  onMouse(() => reports++)
  stdin.on('readable', () => {
    for (let text = input.read(); text !== null; text = input.read()) keys.push(String(text))
  })
  return { write: (text: string) => stdin.write(text), keys, reports: () => reports, close }
}

test('an escape that nothing follows is the key, in a form that the next key cannot change', async () => {
  const { write, keys, close } = opened()
  write(escape)
  await expect.poll(() => keys).toEqual([escapeKey])
  write('Q')
  await expect.poll(() => keys).toEqual([escapeKey, 'Q'])
  close()
})

test('alt with a bracket is no key, and leaves the next one as it is', async () => {
  // Nothing shows that the bracket was released, so time is the test's own.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  const { write, keys, close } = opened()
  write(`${escape}[`)
  await nextTurn()
  await vi.advanceTimersByTimeAsync(100)
  write('Q')
  await nextTurn()
  expect(keys).toEqual(['Q'])
  close()
})

test('a report whose rest comes after its escape was taken for the key takes nothing of the key behind it', async () => {
  const { write, keys, reports, close } = opened()
  write(wheel + escape)
  await expect.poll(() => keys).toEqual([escapeKey])
  write(`${wheel.slice(1)}Q`)
  await expect.poll(() => keys).toEqual([escapeKey, 'Q'])
  expect(reports()).toBe(2)
  close()
})

test('the rest of a report that came while this process was busy is read before its escape is released', async () => {
  const { write, keys, reports, close } = opened()
  write(escape)
  await nextTurn()
  for (const end = performance.now() + 80; performance.now() < end;);
  // What came meanwhile is read after the timers.
  setImmediate(() => write(`${wheel.slice(1)}Q`))
  await expect.poll(() => keys).toEqual(['Q'])
  expect(reports()).toBe(1)
  close()
})
