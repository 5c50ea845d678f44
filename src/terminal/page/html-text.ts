/** Escapes text for HTML, in elements and attributes; what would reorder or hide it is written as in JSON. */
import { escapeControls } from '../../core/traffic/escape-controls.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const htmlText = (text: string): string =>
  escapeControls(text, '\n\r\t').replace(/[&<>"']/g, (each) => entities[each] ?? each)
