export interface DemoCustomer {
  name: string
  address: string | null
  phone: string | null
  email: string | null
  customerNumber: string | null
  sendNotifications: boolean
}

const NONE = ''

/** Name, address, phone and email, as a small office would have them: now and then something is missing. */
const DIRECTORY = [
  ['Harbor Dental Group', '214 Harbor Street, Portland, ME 04101', '(207) 555-0114', 'office@harbordental.example'],
  [
    'Northwind Logistics',
    '1800 Terminal Road, Newark, NJ 07114',
    '(973) 555-0172',
    'accounts@northwindlogistics.example',
  ],
  ['Bluebird Bakery', '37 Mill Lane, Burlington, VT 05401', '(802) 555-0133', 'hello@bluebirdbakery.example'],
  [
    'Castillo & Reyes Law',
    '500 Commerce Street, Suite 1210, Dallas, TX 75202',
    '(214) 555-0186',
    'billing@castilloreyes.example',
  ],
  ['Summit Roofing Co.', '9 Quarry Road, Boulder, CO 80301', '(303) 555-0127', 'dana@summitroofing.example'],
  [
    'Lakeview Veterinary Clinic',
    '66 Lakeview Avenue, Madison, WI 53703',
    '(608) 555-0149',
    'frontdesk@lakeviewvet.example',
  ],
  [
    'Ironworks Fitness',
    '1421 Foundry Street, Pittsburgh, PA 15222',
    '(412) 555-0108',
    'manager@ironworksfitness.example',
  ],
  ['Meridian Architects', '77 State Street, Boston, MA 02109', '(617) 555-0165', 'studio@meridianarchitects.example'],
  ['Green Valley Landscaping', '3300 Valley Road, Salem, OR 97302', '(503) 555-0191', 'office@greenvalley.example'],
  ['Oak & Ember Restaurant', '18 Market Square, Savannah, GA 31401', '(912) 555-0156', 'events@oakandember.example'],
  ['Pioneer Family Pharmacy', '402 Main Street, Bozeman, MT 59715', '(406) 555-0118', 'rx@pioneerpharmacy.example'],
  [
    'Sterling Insurance Agency',
    '250 Peachtree Street, Atlanta, GA 30303',
    '(404) 555-0143',
    'service@sterlingagency.example',
  ],
  [
    'Coastal Property Management',
    '81 Ocean Boulevard, Wilmington, NC 28401',
    '(910) 555-0177',
    'leasing@coastalpm.example',
  ],
  [
    'Hightower Electric',
    '640 Industrial Parkway, Tulsa, OK 74103',
    '(918) 555-0102',
    'dispatch@hightowerelectric.example',
  ],
  [
    'Maple Street Pediatrics',
    '12 Maple Street, Ann Arbor, MI 48104',
    '(734) 555-0138',
    'admin@maplestreetpeds.example',
  ],
  [
    'Redwood Accounting Partners',
    '1055 Redwood Highway, Santa Rosa, CA 95401',
    '(707) 555-0184',
    'partners@redwoodcpa.example',
  ],
  ['Tidewater Marine Supply', '7 Wharf Road, Norfolk, VA 23510', '(757) 555-0121', 'orders@tidewatermarine.example'],
  ['Café Lumière', '29 Royal Street, New Orleans, LA 70130', '(504) 555-0169', 'bonjour@cafelumiere.example'],
  ['Prairie Wind Farms', '15500 County Road 12, Fargo, ND 58102', '(701) 555-0195', 'office@prairiewind.example'],
  ['Kessler Auto Repair', '918 Garfield Avenue, Toledo, OH 43604', '(419) 555-0110', NONE],
  ['Silverline Print & Sign', '333 Press Way, Omaha, NE 68102', '(402) 555-0152', 'proofs@silverlineprint.example'],
  ["O'Connell Plumbing", '48 Bridge Street, Albany, NY 12207', '(518) 555-0136', 'jobs@oconnellplumbing.example'],
  ['Sunrise Senior Living', '2100 Sunrise Drive, Tucson, AZ 85701', '(520) 555-0188', 'director@sunrisesenior.example'],
  ['Alder Creek Winery', '4775 Alder Creek Road, Walla Walla, WA 99362', '(509) 555-0163', 'cellar@aldercreek.example'],
  ['Bright Path Tutoring', '61 College Avenue, Ithaca, NY 14850', NONE, 'learn@brightpath.example'],
  ['Delgado Construction', '1290 Mesa Road, El Paso, TX 79901', '(915) 555-0105', 'office@delgadobuild.example'],
  ['Evergreen Books', '5 Pine Street, Olympia, WA 98501', '(360) 555-0147', 'orders@evergreenbooks.example'],
  ['Fox Hollow Golf Club', '1 Fox Hollow Lane, Lexington, KY 40507', '(859) 555-0174', 'clubhouse@foxhollow.example'],
  ['Granite State Realty', '88 Elm Street, Manchester, NH 03101', '(603) 555-0199', 'closings@granitestate.example'],
  ['Hamilton Optical', '310 Hamilton Place, Chattanooga, TN 37402', '(423) 555-0125', 'info@hamiltonoptical.example'],
  ['Juniper Yoga Studio', NONE, '(505) 555-0159', 'namaste@juniperyoga.example'],
  ['Lone Star Catering', '2700 Guadalupe Street, Austin, TX 78705', '(512) 555-0181', 'menus@lonestarcatering.example'],
  ['Mosaic Design Studio', '14 Canal Street, Providence, RI 02903', '(401) 555-0116', 'hello@mosaicdesign.example'],
  ['Nakamura Orthodontics', '520 Union Avenue, Sacramento, CA 95814', '(916) 555-0140', 'smile@nakamuraortho.example'],
  ['Riverside Brewing Co.', '76 River Road, Asheville, NC 28801', '(828) 555-0167', 'taproom@riversidebrewing.example'],
  ['Stone Bridge Church', '9 Chapel Hill Road, Columbia, MO 65201', '(573) 555-0193', 'office@stonebridge.example'],
  [
    'Thompson & Sons Moving',
    '1604 Freight Street, Columbus, OH 43215',
    '(614) 555-0129',
    'quotes@thompsonmoving.example',
  ],
  ['Umbra Photography', NONE, NONE, 'studio@umbraphoto.example'],
  [
    'Vanguard Security Systems',
    '455 Beacon Street, Hartford, CT 06103',
    '(860) 555-0154',
    'support@vanguardsecurity.example',
  ],
  ['Willow Creek Farm Market', '2388 Creek Road, Lancaster, PA 17602', '(717) 555-0178', NONE],
] as const

const WITHOUT_NUMBER = ['Juniper Yoga Studio', 'Umbra Photography', 'Willow Creek Farm Market']
const WANT_NO_MAIL = ['Kessler Auto Repair', 'Stone Bridge Church']

/** The customers of a small bookkeeping and IT firm. */
export const DEMO_CUSTOMERS: readonly DemoCustomer[] = DIRECTORY.map(([name, address, phone, email], index) => ({
  name,
  address: address || null,
  phone: phone || null,
  email: email || null,
  customerNumber: WITHOUT_NUMBER.includes(name) ? null : `C-${1001 + index}`,
  sendNotifications: !WANT_NO_MAIL.includes(name),
}))
