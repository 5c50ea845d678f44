/** Drives the screen of a certification without a terminal: messages, keys by name, and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import { certificationAreas } from '../../../src/certify/screen/areas.ts'
import {
  type CertificationAction,
  respondToCertificationKey,
} from '../../../src/certify/screen/keys.ts'
import {
  type CertificationHeading,
  type CertificationModel,
  initialCertification,
} from '../../../src/certify/screen/model.ts'
import {
  type CertificationMessage,
  updateCertification,
} from '../../../src/certify/screen/update.ts'
import { ScreenAreas } from '../../../src/terminal/dashboard/runtime/area-screen.tsx'
import { plainAppearance } from './drive.ts'

export function driveCertification(heading: CertificationHeading, columns = 80, rows = 24) {
  let model = initialCertification(heading, columns, rows)
  const actions: CertificationAction[] = []
  const send = (...messages: readonly CertificationMessage[]): void => {
    model = messages.reduce(updateCertification, model)
  }
  const press = (...keys: readonly string[]): void => {
    for (const key of keys) {
      const { message, action } = respondToCertificationKey(model, key)
      if (message) send(message)
      if (action) actions.push(action)
    }
  }
  const lines = (): readonly string[] => {
    const props = { model, appearance: plainAppearance, areasOf: certificationAreas }
    const screen = createElement(ScreenAreas<CertificationModel>, props)
    return renderToString(screen, { columns: model.columns }).split('\n')
  }
  return {
    send,
    press,
    model: () => model,
    lines,
    text: () => lines().join('\n'),
    actions,
  }
}
