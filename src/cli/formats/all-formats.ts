/** All formats: those of `traffic`, and the scenario formats. */
import { formats } from '../../traffic/formats/catalogue.ts'
import type { Format } from '../../traffic/formats/format.ts'
import { scenarioFormat, vitestFormat, withFailureScript } from './scenario-formats.ts'

export const allFormats: readonly Format[] = [
  ...formats.map((format) => (format.name === 'curl' ? withFailureScript(format) : format)),
  scenarioFormat,
  vitestFormat,
]
