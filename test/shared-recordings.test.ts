/**
 * Committed recordings are public: none may contain secrets or personal data. Redaction with any key leaves a redacted
 * line unchanged, so every change shows unredacted data.
 */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  createExchangeFormatter,
  createHeaderLine,
  formatLine,
} from '../src/core/traffic/recording/recording-lines.ts'
import { createSalt } from '../src/core/traffic/recording/line-ids.ts'
import { redactHarEntry } from '../src/core/traffic/redaction/har-entry.ts'
import { createRedactor } from '../src/core/traffic/redaction/redactor.ts'
import { sampleExchange, sampleT0 } from './support/sample-exchange.ts'

const redactor = createRedactor((text) =>
  createHmac('sha256', 'nobody’s').update(text).digest('hex'),
)
const folder = fileURLToPath(new URL('../recordings/', import.meta.url))

interface Line {
  readonly _rec?: { readonly type?: string; readonly redaction?: { readonly mode?: string } }
}

/** Unredacted data in a recording, by line. */
function unredacted(text: string): readonly string[] {
  return text.split('\n').flatMap((raw, index) => {
    if (raw === '') return []
    const line = JSON.parse(raw) as Line
    const at = `line ${index + 1}`
    if (line._rec?.type === 'header')
      return line._rec.redaction?.mode === 'none' ? [`${at}: it was recorded raw`] : []
    return redactHarEntry(line as Readonly<Record<string, unknown>>, redactor).red.map(
      ({ p, c }) => `${at}: ${p} (${c})`,
    )
  })
}

test('the scan finds unredacted data, and nothing in redacted data', () => {
  const info = {
    name: 'x',
    tool: 'sparring/0',
    protocol: { name: 'protocol', version: 'v2' },
    parties: [],
  }
  const salt = createSalt(new Uint8Array(9))
  const header = (mode: 'none' | 'pseudonym') =>
    createHeaderLine({
      info: { ...info, redaction: { policy: 'p', keyId: null, mode } },
      t0: sampleT0,
      salt,
    })
  const raw = createExchangeFormatter({ header: header('none'), t0: sampleT0 })
  const clean = createExchangeFormatter({ header: header('pseudonym'), t0: sampleT0, redactor })
  expect(unredacted(formatLine(header('none')) + raw(sampleExchange(1)))).toEqual([
    'line 1: it was recorded raw',
    'line 2: q.headers.authorization (token)',
    'line 2: p.headers.set-cookie (token)',
    'line 2: p.body/customer/name (name)',
  ])
  expect(unredacted(formatLine(header('pseudonym')) + clean(sampleExchange(1)))).toEqual([])
})

test('recordings/ contains no secrets and no personal data', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  )
  for (const name of files)
    expect([name, unredacted(readFileSync(join(folder, name), 'utf8'))]).toEqual([name, []])
})
