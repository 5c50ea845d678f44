/**
 * Parses one interaction of a cassette in YAML. Scalars stay texts as they are written, so that a header of `1.10` is
 * not the number 1.1; only null and binary data are recognised, the latter in the spelling of Ruby too.
 */
import { parseDocument, type ScalarTag } from 'yaml'
import { err, ok, type Result } from '../../protocol/result.ts'
import { bytesFromBase64 } from '../redaction/base64.ts'

const nullTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:null',
  default: true,
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => null,
}

const binaryTag = (tag: string): ScalarTag => ({
  tag,
  resolve: (text, onError) => {
    const bytes = bytesFromBase64(text.replaceAll(/\s+/g, ''))
    if (!bytes) onError('binary data that is no base64')
    return bytes ?? null
  },
})

const options = {
  schema: 'failsafe',
  customTags: [nullTag, binaryTag('tag:yaml.org,2002:binary'), binaryTag('!binary')],
  // Tags of classes are of no interest here.
  resolveKnownTags: false,
  logLevel: 'error',
  prettyErrors: false,
  strict: false,
  uniqueKeys: false,
} as const

/** The elements of a YAML list. */
export function parseCassetteYaml(text: string): Result<readonly unknown[], string> {
  try {
    const document = parseDocument(text, { ...options, customTags: [...options.customTags] })
    const [error] = document.errors
    if (error) return err(error.message)
    // Aliases of aliases may stand for gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 1000 })
    return Array.isArray(value) ? ok(value) : err('it is no list')
  } catch (error) {
    // Nested too deep, or too many aliases.
    return err(error instanceof Error ? error.message : String(error))
  }
}
