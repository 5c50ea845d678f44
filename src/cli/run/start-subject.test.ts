/** Your service as a process of ours: it ends politely, it ends for certain, and nobody waits longer than that takes. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSubject } from './start-subject.ts'

const env = { PATH: process.env['PATH'] }
const folder = (): string => mkdtempSync(join(tmpdir(), 'sparring-subject-'))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('what a shell started has its time to put things in order, though the shell goes at once', async () => {
  const cwd = folder()
  const service = `trap 'sleep 0.4; touch saved; exit' TERM; touch up; while :; do sleep 0.05; done`
  const subject = startSubject(`sh -c "${service}" & wait`, env, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await subject.stop()
  expect(existsSync(join(cwd, 'saved'))).toBe(true)
})

test('one that will not end is ended, and one that has is not waited for', async () => {
  const cwd = folder()
  const stubborn = startSubject(`trap '' TERM; touch up; while :; do sleep 0.05; done`, env, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await stubborn.stop()
  expect(stubborn.ended()).toBe('it was ended by SIGKILL')

  const over = startSubject('exit 3', env, cwd)
  await over.end
  const begin = performance.now()
  await over.stop()
  expect(performance.now() - begin).toBeLessThan(1000)
  // One that wrote nothing has no lines, not an empty one.
  expect({ ended: over.ended(), output: over.output() }).toEqual({
    ended: 'it ended with code 3',
    output: [],
  })
})

test('a letter of several bytes that comes in two pieces is one letter', async () => {
  const subject = startSubject(`printf 'caf\\303'; sleep 0.3; printf '\\251\\n'`, env, folder())
  await until(() => subject.output().join('').length >= 4)
  await subject.stop()
  expect(subject.output()).toEqual(['café'])
})
