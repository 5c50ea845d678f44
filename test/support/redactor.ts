/** Redactors with a fixed key, so that a test runs with the same replacements each time. */
import { createHmac } from 'node:crypto'
import { KnownValues } from '../../src/core/traffic/redaction/known-values.ts'
import { createRedactor } from '../../src/core/traffic/redaction/redactor.ts'

export const hashWith =
  (key: string) =>
  (text: string): string =>
    createHmac('sha256', key).update(text).digest('hex')

export const redactorWith = (key: string) => createRedactor(hashWith(key))

/** One that also replaces values that it redacted before. */
export const learningRedactor = (key: string) => createRedactor(hashWith(key), new KnownValues())

export const redactor = redactorWith('a key')
