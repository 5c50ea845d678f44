/** A service that gets no processor: what is measured of it, and what its lateness says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokenRule } from '../../../test/support/scripted-schedules.ts'
import { measureProcessorWait } from './processor-wait.ts'
import { doubtIfStarved } from './service-runner.ts'

test.runIf(existsSync('/proc/self/schedstat'))(
  'the wait of a process is a share of its time, unknown once it has ended, and of none',
  async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 60; true'])
    await once(child, 'spawn')
    const waiting = await measureProcessorWait(child.pid)
    const share = (await waiting.share()) ?? -1
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThanOrEqual(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await waiting.share()).toBeUndefined()
    expect(await (await measureProcessorWait(undefined)).share()).toBeUndefined()
  },
)

test('what depends on time is inconclusive for a service that was starved, and what must never happen counts', () => {
  const result = {
    failures: [brokenRule('CV-1', 'o1'), brokenRule('SE-1', 'o1'), brokenRule('RT-4', 'o1')],
    inconclusive: ['AK-3'],
  }
  expect(doubtIfStarved(result, 0.4)).toEqual(result)
  const { failures, inconclusive } = doubtIfStarved(result, 0.6)
  expect(failures.map(({ rule }) => rule)).toEqual(['SE-1'])
  expect(inconclusive).toEqual(['AK-3', 'CV-1', 'RT-4'])
})
