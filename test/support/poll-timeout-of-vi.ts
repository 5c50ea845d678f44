/**
 * A setup file of Vitest: `vi.waitFor` waits as long as `expect.poll` does by the configuration, where the caller names no
 * limit. By itself it gives up after a second, which a busy machine may need.
 */
import { vi } from 'vitest'
import { pollTimeoutMs } from './poll-timeout.ts'

/** Setup files run for each test file in the same worker. */
const marker = Symbol.for('sparring.poll-timeout')

if (!Reflect.has(vi, marker)) {
  Reflect.set(vi, marker, true)
  const { waitFor } = vi
  vi.waitFor = (callback, options = {}) =>
    waitFor(
      callback,
      typeof options === 'number' ? options : { timeout: pollTimeoutMs, ...options },
    )
}
