import { expect, test } from 'vitest'
import { Hosts, type HostsOptions } from './hosts.ts'

/** How often a wait of ten seconds reads what is never right, on a clock that advances or stands still. */
async function readsOf(clock: 'running' | 'paused', abortAt = Number.POSITIVE_INFINITY) {
  const enough = new AbortController()
  let [now, reads] = [0, 0]
  const hosts = new Hosts({
    enough: enough.signal,
    clock: {
      now: async () => now,
      async advance(ms: number) {
        if (clock === 'running' && !enough.signal.aborted) now += ms
      },
    },
  } as unknown as HostsOptions)
  const wrong = await hosts.waitFor(async () => {
    if (++reads === abortAt) enough.abort()
    return 'it is not there'
  }, 10_000)
  expect(wrong).toBe('it is not there')
  return reads
}

test('what a host says is read once a second until the time is over, on a clock that stands still too', async () => {
  expect(await readsOf('running')).toBe(11)
  expect(await readsOf('paused')).toBe(11)
})

test('a run that is aborted reads no more', async () => {
  expect(await readsOf('running', 3)).toBe(3)
})
