import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { askSecret } from './secret-prompt.ts'

test('the question is shown once nothing typed is echoed, so that an answer at once stays secret', async () => {
  const happened: string[] = []
  const input = Object.assign(new PassThrough(), {
    setRawMode(on: boolean) {
      happened.push(on ? 'no echo' : 'echo')
      return input as never
    },
  })
  const output = new Writable({
    write(chunk: unknown, _encoding, done) {
      happened.push(String(chunk))
      if (String(chunk) === 'Token: ') input.write('mine\r')
      done()
    },
  })
  expect(await askSecret({ input, output, question: 'Token: ' })).toBe('mine')
  expect(happened).toEqual(['no echo', 'Token: ', 'echo', '\n'])
})
