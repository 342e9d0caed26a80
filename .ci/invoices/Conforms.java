import java.io.FileInputStream;
import java.io.InputStream;

import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Has veraPDF judge files by PDF/A-3a and PDF/UA-1, and prints what they break. */
class Conforms {
    /** How much of what breaks one rule is told. */
    private static final int TOLD = 3;

    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        boolean conform = true;
        for (String file : files) {
            for (PDFAFlavour flavour : new PDFAFlavour[] {PDFAFlavour.PDFA_3_A, PDFAFlavour.PDFUA_1}) {
                conform &= conforms(file, flavour);
            }
        }
        System.exit(conform ? 0 : 1);
    }

    private static boolean conforms(String file, PDFAFlavour flavour) throws Exception {
        try (InputStream stream = new FileInputStream(file);
                PDFAParser parser = Foundries.defaultInstance().createParser(stream, flavour);
                PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, TOLD, false, false, false)) {
            ValidationResult result = validator.validate(parser);
            for (TestAssertion broken : result.getTestAssertions()) {
                System.out.println(file + ": PDF/" + flavour.getId() + " " + broken.getRuleId().getClause() + ": " + broken.getMessage());
            }
            if (result.getTotalAssertions() == 0) {
                throw new IllegalStateException("veraPDF has looked at nothing in " + file);
            }
            return result.isCompliant();
        }
    }
}
