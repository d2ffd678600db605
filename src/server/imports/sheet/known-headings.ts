import type { ImportContract, ImportCustomer, ImportField } from '#shared/schemas/import-rows.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { CellKind } from './cells.ts'

export interface Field {
  /** The heading in templates and exports. */
  heading: string
  /** What the template has there; it has no column for a field without one. */
  example?: string
  kind: CellKind
  /**
   * Other headings for it in English, German, French and Spanish, in the form of `plainHeading`. The first one that the
   * file has is used.
   */
  names: string
  isRequired?: boolean
}

const CUSTOMER_NUMBER = `
  customernumber customerno customernr customercode clientnumber clientno
  kundennummer kundennr kundenno kdnr kundencode
  numeroclient numerodeclient numeroduclient noclient nclient codeclient referenceclient refclient
  numerocliente numerodecliente numerodelcliente nocliente ncliente codigocliente codigodecliente codigodelcliente`

const CUSTOMER_NAME = `
  kunde kundenname firma firmenname unternehmen auftraggeber vertragspartner
  nomduclient nomclient societe entreprise raisonsociale nomdelasociete nomdelentreprise
  cliente nombredelcliente nombredecliente nombrecliente empresa razonsocial nombredelaempresa compania sociedad`

const TAGS: Field = {
  heading: 'Tags',
  example: 'Wholesale; North',
  kind: 'tags',
  names: 'tags tag schlagworte schlagworter schlagwoerter etiquettes motscles etiquetas',
}

const CUSTOMERS: Record<Exclude<keyof ImportCustomer, 'contacts'>, Field> = {
  sourceId: { heading: 'ID', kind: 'id', names: 'id customerid clientid kundenid idclient idcliente' },
  name: {
    heading: 'Name',
    example: 'Acme Ltd',
    kind: 'text',
    isRequired: true,
    names: `
        name customername customer clientname client companyname company fullname businessname business
        organization organisation accountname displayname customerfullname clientfullname contactname
        nom nomcomplet nombre nombrecompleto ${CUSTOMER_NAME}`,
  },
  address: {
    heading: 'Address',
    example: '1 Main Street, Springfield',
    kind: 'text',
    names: `
        address fulladdress streetaddress billingaddress mailingaddress postaladdress street
        customeraddress clientaddress companyaddress billtoaddress billto mainaddress
        adresse anschrift postanschrift postadresse rechnungsadresse rechnungsanschrift strasse
        adressecomplete adressepostale adressedefacturation rue
        direccion direccioncompleta direccionpostal direcciondefacturacion domicilio calle`,
  },
  phone: {
    heading: 'Phone',
    example: '555 0142',
    kind: 'text',
    names: `
        phone phonenumber phoneno telephone telephonenumber tel mobile mobilephone mobilenumber cell
        cellphone contactnumber contact1phone workphone businessphone
        mainphone phonenumbers telephoneno officephone contactphone customerphone clientphone
        telefon telefonnummer telefonnr telnr rufnummer mobil mobilnummer mobiltelefon handy handynummer
        numerodetelephone notelephone portable
        telefono numerodetelefono movil telefonomovil celular`,
  },
  customerNumber: {
    heading: 'Customer Number',
    example: 'C-1001',
    kind: 'text',
    names: `${CUSTOMER_NUMBER} accountnumber accountno number no nummer nr numero codigo reference ref referenz referencia`,
  },
  email: {
    heading: 'Email',
    example: 'office@acme.example',
    kind: 'text',
    names: `
        email emailaddress mail contactemail contact1email primaryemail
        mainemail billingemail customeremail clientemail companyemail contactmail emailid
        emailadresse mailadresse
        courriel adresseemail adressemail adressecourriel adresseelectronique courrierelectronique
        correo correoelectronico direcciondecorreo direcciondecorreoelectronico emaildelcliente`,
  },
  contactName: {
    heading: 'Contact Person',
    example: 'Ann Miller',
    kind: 'text',
    names: `
        contactperson contact1name contact1 primarycontact maincontact ansprechpartner ansprechperson kontaktperson
        interlocuteur personneacontacter personadecontacto`,
  },
  contactRole: {
    heading: 'Contact Role',
    example: 'Office manager',
    kind: 'text',
    names: 'contactrole contact1role contacttitle jobtitle',
  },
  sendNotifications: {
    heading: 'Notifications',
    example: 'Yes',
    kind: 'flag',
    names: `
        notifications sendnotifications notificationsenabled emailnotifications notify sendreminders reminders
        benachrichtigungen benachrichtigung erinnerungen
        rappels
        notificaciones recordatorios avisos`,
  },
  createdAt: {
    heading: 'Date Added',
    kind: 'instant',
    names: `
        dateadded createdat datecreated createddate created added customersince
        hinzugefugtam hinzugefuegtam erstelltam angelegtam erstellungsdatum kundeseit
        datedajout datedecreation creele ajoutele clientdepuis
        fechadealta fechadecreacion creadoel clientedesde`,
  },
  tags: TAGS,
}

const CONTRACTS: Record<keyof ImportContract, Field> = {
  customerId: { heading: 'Customer ID', kind: 'id', names: 'customerid clientid kundenid idclient idcliente' },
  customerName: {
    heading: 'Customer',
    example: 'Acme Ltd',
    kind: 'text',
    names: `
        customername customer clientname client companyname company name accountname
        nom nombre ${CUSTOMER_NAME}`,
  },
  customerNumber: {
    heading: 'Customer Number',
    example: 'C-1001',
    kind: 'text',
    names: `${CUSTOMER_NUMBER} accountnumber accountno`,
  },
  amount: {
    heading: 'Amount',
    example: '1200.00',
    kind: 'amount',
    isRequired: true,
    names: `
        amount contractamount amountusd contractvalue value totalamount total price contractprice fee cost
        betrag vertragsbetrag gesamtbetrag vertragswert wert vertragssumme summe preis kosten
        montant montantducontrat montanttotal valeur valeurducontrat prix cout
        importe importedelcontrato importetotal monto montototal montodelcontrato valor valordelcontrato precio coste costo cuantia`,
  },
  startDate: {
    heading: 'Start Date',
    example: '2026-01-31',
    kind: 'day',
    isRequired: true,
    names: `
        startdate start starts startson startingdate begindate begin contractstart contractstartdate
        effectivedate from datefrom
        startdatum beginn beginndatum vertragsbeginn anfang anfangsdatum von ab
        debut datededebut datedebut debutducontrat datededebutducontrat datedeffet
        inicio fechadeinicio fechainicio iniciodelcontrato fechadeiniciodelcontrato comienzo desde`,
  },
  renewalCycle: {
    heading: 'Renewal Cycle',
    example: 'yearly',
    kind: 'cycle',
    isRequired: true,
    names: `
        renewalcycle cycle billingcycle renewalfrequency billingfrequency frequency renewalperiod
        billingperiod period interval billinginterval recurrence
        verlangerungszyklus verlaengerungszyklus zyklus abrechnungszyklus intervall verlangerungsintervall
        verlaengerungsintervall abrechnungsintervall turnus rhythmus periode zeitraum
        cyclederenouvellement cycledefacturation periodicite frequence frequencederenouvellement intervalle
        ciclo ciclorenovacion cicloderenovacion ciclodefacturacion periodicidad frecuencia frecuenciaderenovacion periodo intervalo`,
  },
  renewalDate: {
    heading: 'Renewal Date',
    example: '2027-01-31',
    kind: 'day',
    isRequired: true,
    names: `
        renewaldate nextrenewaldate nextrenewal renewal renewson renews renewaldue duedate due enddate end
        ends endson contractend contractenddate expirydate expirationdate expires expireson to dateto
        verlangerungsdatum verlaengerungsdatum nachsteverlangerung naechsteverlaengerung verlangerung verlaengerung
        verlangertsicham verlaengertsicham vertragsende enddatum ende ablaufdatum ablauf lauftab laufendbis bis
        falligkeit faelligkeit falligam faelligam
        datederenouvellement prochainrenouvellement renouvellement dateecheance datedecheance echeance datedefin datefin
        fin finducontrat datedefinducontrat datedexpiration expiration
        fechaderenovacion fecharenovacion proximarenovacion renovacion fechadevencimiento vencimiento fechadefin fechafin
        fechadefinalizacion findelcontrato finalizacion caducidad hasta`,
  },
  status: {
    heading: 'Status',
    example: 'active',
    kind: 'status',
    names:
      'status contractstatus state vertragsstatus zustand statut statutducontrat etat estado estadodelcontrato estatus',
  },
  title: {
    heading: 'Title',
    example: 'Office cleaning',
    kind: 'text',
    names: `
        title contracttitle contractname subject
        titel vertragsname vertragsbezeichnung bezeichnung
        titre nomducontrat objetducontrat
        titulo nombredelcontrato`,
  },
  reference: {
    heading: 'Reference',
    example: 'A-2026-014',
    kind: 'text',
    names: `
        reference ref contractreference contractnumber contractno
        referenz vertragsnummer vertragsnr
        numerodecontrat numerocontrat nocontrat ncontrat
        referencia numerodecontrato numerocontrato nocontrato ncontrato`,
  },
  renews: {
    heading: 'Renews',
    example: 'automatic',
    kind: 'renews',
    names: `
        renews renewaltype autorenew autorenewal autorenews automaticrenewal
        verlangerungsart automatischeverlangerung automatischeverlaengerung
        renouvellementautomatique reconductiontacite tacitereconduction
        renovacionautomatica`,
  },
  noticePeriod: {
    heading: 'Notice Period',
    example: '30 days',
    kind: 'text',
    names: `
        noticeperiod notice cancellationnotice cancellationperiod
        kundigungsfrist kuendigungsfrist preavis delaidepreavis plazodepreaviso preaviso`,
  },
  tags: TAGS,
  termNumber: { heading: 'Term Number', kind: 'id', names: 'termnumber termno' },
  termStart: { heading: 'Term Start', kind: 'day', names: 'termstart termstartdate' },
}

/** By the name of the field, in the order that their columns have in templates and exports. */
export const FIELDS: Record<ImportKind, Partial<Record<ImportField, Field>>> = {
  customers: CUSTOMERS,
  contracts: CONTRACTS,
}
