/** All formats: those of `traffic`, and the scenario formats. */
import { formats } from '../../formats/catalogue.ts'
import type { Format } from '../../formats/format.ts'
import { scenarioFormat, vitestFormat, withFailureScript } from './scenario-formats.ts'

export const allFormats: readonly Format[] = [
  ...formats.map((format) => (format.name === 'curl' ? withFailureScript(format) : format)),
  scenarioFormat,
  vitestFormat,
]
