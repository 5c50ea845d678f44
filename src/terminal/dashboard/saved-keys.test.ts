// @module-tag slow
/**
 * Whatever keys an operator pressed, what is saved of it plays again, to the same verdicts. Sequences that once differed are
 * played by one channel each; the nightly plays all in every setting.
 */
import { describe, expect, test } from 'vitest'
import {
  checkKeysWithoutService,
  checkSavedKeys,
  onceDifferedBy,
  savedKeysSettings,
} from '../../../test/support/dashboard/saved-keys.ts'

describe.each(savedKeysSettings)(
  'a service by $channel that sleeps $sleeps',
  (setting) => {
    test('any 5 to 60 keys are saved, and play to the same verdicts', async () => {
      await expect(checkSavedKeys(setting, 1, onceDifferedBy(setting))).resolves.toBeUndefined()
    })
  },
  240_000,
)

test('without a service they reproduce the journal, fact for fact', async () => {
  await expect(checkKeysWithoutService(2)).resolves.toBeUndefined()
})
