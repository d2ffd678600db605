import type { Keys } from './keys.ts'

/** How TRAXX is set up at Clerk: email address and password, the address verified by a code, one session a browser. */
export function environmentJson({ id }: Keys, origin: string) {
  return {
    auth_config: { object: 'auth_config', id, single_session_mode: true, claimed_at: null, reverification: true },
    display_config: displayConfig(id, origin),
    user_settings: USER_SETTINGS,
    organization_settings: { object: 'organization_settings', id, enabled: false, max_allowed_memberships: 1 },
    maintenance_mode: false,
  }
}

function displayConfig(id: string, origin: string) {
  return {
    object: 'display_config',
    id,
    instance_environment_type: 'development',
    application_name: 'TRAXX',
    branded: false,
    preferred_sign_in_strategy: 'password',
    show_devmode_warning: false,
    home_url: `${origin}/`,
    sign_in_url: `${origin}/sign-in`,
    sign_up_url: `${origin}/sign-up`,
    after_sign_in_url: `${origin}/`,
    after_sign_up_url: `${origin}/`,
    after_sign_out_all_url: `${origin}/`,
    after_sign_out_one_url: `${origin}/`,
    after_switch_session_url: `${origin}/`,
  }
}

const OFF = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
}

const EMAIL_ADDRESS = {
  ...OFF,
  enabled: true,
  required: true,
  used_for_first_factor: true,
  first_factors: ['email_code'],
  verifications: ['email_code'],
  verify_at_sign_up: true,
}

const SECOND_FACTOR = { ...OFF, enabled: true, used_for_second_factor: true }

const USER_SETTINGS = {
  attributes: {
    email_address: EMAIL_ADDRESS,
    password: { ...OFF, enabled: true, required: true },
    first_name: { ...OFF, enabled: true },
    last_name: { ...OFF, enabled: true },
    phone_number: OFF,
    username: OFF,
    web3_wallet: OFF,
    authenticator_app: { ...SECOND_FACTOR, second_factors: ['totp'] },
    backup_code: { ...SECOND_FACTOR, second_factors: ['backup_code'] },
    passkey: OFF,
  },
  actions: { delete_self: true, create_organization: false },
  sign_in: { second_factor: { required: false, enabled: true } },
  sign_up: {
    mode: 'public',
    allowlist_only: false,
    captcha_enabled: false,
    legal_consent_enabled: false,
    progressive: true,
    mfa: { required: false },
  },
  password_settings: {
    min_length: 8,
    max_length: 72,
    allowed_special_characters: '',
    require_special_char: false,
    require_numbers: false,
    require_lowercase: false,
    require_uppercase: false,
    show_zxcvbn: false,
    min_zxcvbn_strength: 0,
    disable_hibp: true,
  },
  social: {},
}
