/** Drives the screen of a certification without a terminal: messages, keys by name, and frames as lines. */
import { renderToString } from 'ink'
import { createElement } from 'react'
import {
  type CertificationMessage,
  certificationScreen,
  updateCertification,
} from '../../../src/certify/screen/show-certification.ts'
import type { CertificationAction } from '../../../src/certify/screen/show-certification.ts'
import {
  type CertificationHeading,
  type CertificationModel,
  initialCertification,
} from '../../../src/certify/screen/model.ts'
import {
  type ListAction,
  respondToListKey,
} from '../../../src/terminal/dashboard/list-screen/list-screen.ts'
import { ScreenAreas } from '../../../src/terminal/dashboard/list-screen/open-list-screen.tsx'
import { plainAppearance } from './drive.ts'

export function driveCertification(heading: CertificationHeading, columns = 80, rows = 24) {
  let model = initialCertification(heading, columns, rows)
  const actions: (CertificationAction | ListAction)[] = []
  const send = (...messages: readonly CertificationMessage[]): void => {
    model = messages.reduce(updateCertification, model)
  }
  const press = (...keys: readonly string[]): void => {
    for (const key of keys) {
      const { message, action } = respondToListKey(certificationScreen, model, key)
      if (message) send(message)
      if (action) actions.push(action)
    }
  }
  const lines = (): readonly string[] => {
    const props = { model, appearance: plainAppearance, screen: certificationScreen }
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
