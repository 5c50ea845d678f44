/** The subject as a child process: SIGTERM, then SIGKILL, without waiting longer than necessary. */
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

test('children of the shell get their time for cleanup, although the shell ends at once', async () => {
  const cwd = folder()
  const service = `trap 'sleep 0.4; touch saved; exit' TERM; touch up; while :; do sleep 0.05; done`
  const subject = startSubject(`sh -c "${service}" & wait`, env, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await subject.stop()
  expect(existsSync(join(cwd, 'saved'))).toBe(true)
})

test('a process that ignores SIGTERM is killed, and an ended one is not waited for', async () => {
  const cwd = folder()
  const stubborn = startSubject(`trap '' TERM; touch up; while :; do sleep 0.05; done`, env, cwd)
  await until(() => existsSync(join(cwd, 'up')))
  await stubborn.stop()
  expect(stubborn.endReason()).toBe('it was ended by SIGKILL')

  const over = startSubject('exit 3', env, cwd)
  await over.end
  const begin = performance.now()
  await over.stop()
  expect(performance.now() - begin).toBeLessThan(1000)
  // A process without output has no lines, not one empty line.
  expect({ ended: over.endReason(), output: over.output() }).toEqual({
    ended: 'it ended with code 3',
    output: [],
  })
})

test('a multi-byte character that is split between two chunks is decoded correctly', async () => {
  const subject = startSubject(`printf 'caf\\303'; sleep 0.3; printf '\\251\\n'`, env, folder())
  await until(() => subject.output().join('').length >= 4)
  await subject.stop()
  expect(subject.output()).toEqual(['café'])
})
