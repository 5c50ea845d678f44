/** Sixty sequences of keys in each setting: what is saved of them plays again, to the same verdicts. */
import { describe, expect, test } from 'vitest'
import {
  checkKeysWithoutService,
  checkSavedKeys,
  savedKeysSettings,
} from '../support/dashboard/saved-keys.ts'

describe.each(savedKeysSettings)('a service by $channel that sleeps $sleeps', (setting) => {
  test('60 sequences of 5 to 60 keys are saved, and play to the same verdicts', async () => {
    await expect(checkSavedKeys(setting, 60)).resolves.toBeUndefined()
  }, 1_800_000)
})

test('60 sequences without a service reproduce the journal, fact for fact', async () => {
  await expect(checkKeysWithoutService(60)).resolves.toBeUndefined()
}, 1_800_000)
