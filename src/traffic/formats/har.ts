/** HTTP Archive 1.2 (HAR) and its dialects, as saved by browsers, proxies and test libraries. */
import { defineFormat } from './format.ts'
import { createHarExporter } from './har-export.ts'
import { createHarImporter } from './har-import.ts'

const decoder = new TextDecoder()

export const harFormat = defineFormat({
  name: 'har',
  summary: 'HTTP Archive 1.2, of browsers, proxies and test libraries; ours comes back as it was',
  fileExtensions: ['.har'],
  recognises(beginning, file) {
    const text = decoder.decode(beginning)
    if (/^[\s\uFEFF]*\{\s*"log"\s*:\s*\{/.test(text)) return 1
    if (/^[\s\uFEFF]*\{/.test(text) && /"log"\s*:\s*\{/.test(text)) return 0.8
    return file.toLowerCase().endsWith('.har') ? 0.6 : 0
  },
  importer: (options) => createHarImporter(options),
  exporter: (options) => createHarExporter(options),
})
